/** `npm run example-login` (docs/sign-in.md). Arguments: port (9090), origins of policy servers; prints settings. */
import { startExampleLogin } from "@/bench/example-login/server";
import { listSettings } from "@/bench/example-login/settings";

const [port = "9090", ...origins] = process.argv.slice(2);
const login = await startExampleLogin({ port: Number(port), ...(origins.length > 0 && { origins }) });
console.error("Nobody is asked for a password here. Start the policy server with these settings:");
for (const line of listSettings(login)) console.log(line);
const end = () => void login.close();
process.once("SIGINT", end);
process.once("SIGTERM", end);
