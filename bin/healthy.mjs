/**
 * For health checks of containers: ends with 0 when the server in this one answers 200, else with 1. Its argument is the path
 * to ask for, `/health` when not given. It asks where the server listens.
 */
const [path = "/health"] = process.argv.slice(2);
const { POLICY_SERVER_PORT: port = "", LISTEN_ADDRESS: address = "" } = process.env;
const host = { "": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1" }[address] ?? address;
try {
  const { ok } = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port || 3000}${path}`, {
    signal: AbortSignal.timeout(5000),
  });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
