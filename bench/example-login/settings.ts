import { exampleRoles } from "@/bench/example-login/people";

/** The settings of a policy server for this provider, valid both in a shell and in a `.env` file. */
export function listSettings(login: {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}): string[] {
  return [
    "AUTH_TYPE=oidc",
    `OIDC_ISSUER=${login.issuer}`,
    `OIDC_CLIENT_ID=${login.clientId}`,
    `OIDC_CLIENT_SECRET=${login.clientSecret}`,
    // Quoted, because a shell would end the value at the first semicolon.
    `OIDC_ROLES='${exampleRoles}'`,
    // For trying roles out with made-up apps, which a server with AUTH_TYPE does not read by itself.
    "EXAMPLE_DIRECTORY=true",
  ];
}
