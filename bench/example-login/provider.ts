import { generateKeyPairSync, randomBytes } from "node:crypto";
import Provider, { type Context } from "oidc-provider";
import type { ExamplePerson } from "@/bench/example-login/people";

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Origins of policy servers that may redirect people here. */
  readonly origins: readonly string[];
  readonly people: readonly ExamplePerson[];
  readonly keyId: string;
}

export interface ExampleProvider {
  readonly provider: Provider;
  /** The provider's key, so that tests can sign other claims that a client must refuse. */
  readonly privateKey: string;
}

const scopes = "openid profile email offline_access";

/** Creates an OpenID Connect provider that asks for no password, only who to sign in as. */
export function makeProvider(options: ProviderOptions): ExampleProvider {
  const { issuer, clientId, clientSecret, origins, people, keyId } = options;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: origins.map((origin) => `${origin}/api/auth/callback/oidc`),
        post_logout_redirect_uris: origins.map((origin) => `${origin}/login`),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: keyId, use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub", "groups"], profile: ["name"] },
    // The groups are in the ID token, as with most providers.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { logoutSource, enabled: true } },
    interactions: { url: (_: Context, { uid }: { readonly uid: string }) => `/people/${uid}` },
    findAccount: (_: Context, id: string) => findAccount(people, id),
    loadExistingGrant: grantEverything,
    issueRefreshToken: () => true,
    ttl: { AccessToken: 3600, IdToken: 3600, RefreshToken: 86_400, Session: 86_400, Interaction: 3600, Grant: 86_400 },
  });
  return { provider, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function findAccount(people: readonly ExamplePerson[], accountId: string) {
  const person = people.find(({ id }) => id === accountId);
  if (person === undefined) return undefined;
  return { accountId, claims: () => ({ sub: accountId, name: person.name, groups: person.groups }) };
}

async function grantEverything({ oidc }: Context) {
  const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
  grant.addOIDCScope(scopes);
  await grant.save();
  return grant;
}

function logoutSource(context: Context, form: string): void {
  context.body = `<!doctype html><title>Sign out</title>${form}
<button autofocus form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
}
