/** For health checks of containers: ends with 0 when the server in this one answers, else with 1. */
const port = process.env.POLICY_SERVER_PORT || "3000";
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(5000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
