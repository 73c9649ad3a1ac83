/**
 * `npm run example-login`: a small provider of OpenID Connect with four people, one for each role (docs/sign-in.md).
 * Arguments: its port (9090), and origins of policy servers. Settings for the server go to the standard output.
 */
import { exampleRoles } from "@/example-login/people";
import { startExampleLogin } from "@/example-login/server";

const [port = "9090", ...origins] = process.argv.slice(2);
const login = await startExampleLogin({ port: Number(port), ...(origins.length > 0 && { origins }) });
console.error("Nobody is asked for a password here. Start the policy server with these settings:");
console.log("AUTH_TYPE=oidc");
console.log(`OIDC_ISSUER=${login.issuer}`);
console.log(`OIDC_CLIENT_ID=${login.clientId}`);
console.log(`OIDC_CLIENT_SECRET=${login.clientSecret}`);
console.log(`OIDC_ROLES=${exampleRoles}`);
const end = () => void login.close();
process.once("SIGINT", end);
process.once("SIGTERM", end);
