/**
 * For health checks of containers: ends with 0 when the server in this one answers 200, else with 1. Its argument is the path
 * to ask for, `/health` when not given.
 */
const [path = "/health"] = process.argv.slice(2);
const port = process.env.POLICY_SERVER_PORT || "3000";
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
