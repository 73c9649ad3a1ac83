import "server-only";
import { type Client, errors } from "openid-client";
import { findProvider, isProviderDown, toleranceSeconds } from "@/lib/platform/auth/people/provider";
import { endSessions } from "@/lib/platform/auth/people/sessions";
import { AppError } from "@/lib/platform/errors";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
const maxRemembered = 10_000;
const taken = new Set<string>();

type Claims = Readonly<Record<string, unknown>>;
/** The check that the library uses for ID tokens, missing from its types: form, signature, issuer, audience and times. */
type Validating = Client & {
  validateJWT(jwt: string, algorithm: unknown, required: readonly string[]): Promise<{ payload: Claims }>;
};

/** Ends the sessions that the provider's logout token names (`people.md` P4b). Throws AppError 400 for a bad token; 503. */
export async function logOutByProvider(token: string): Promise<void> {
  const { sub, sid, jti } = await readLogoutToken(token);
  if (taken.has(jti)) throw refusal("jti was used before");
  const filter = typeof sid === "string" ? { providerSession: sid } : { subject: String(sub) };
  await endSessions(filter, { actor: "provider", route: "POST /api/auth/backchannel-logout", requestId: null });
  taken.add(jti);
  const [oldest] = taken;
  if (taken.size > maxRemembered && oldest !== undefined) taken.delete(oldest);
}

async function readLogoutToken(token: string) {
  const claims = await validate(token);
  const { sub, sid, jti, iat, nonce, events } = claims;
  if (typeof jti !== "string" || jti.length > 255) throw refusal("jti must be a text");
  if (typeof sub !== "string" && typeof sid !== "string") throw refusal("sub or sid is required");
  if (nonce !== undefined) throw refusal("nonce must not be there");
  if (typeof events !== "object" || events === null || !(logoutEvent in events))
    throw refusal("events names no logout");
  if (Math.abs(Number(iat) - Date.now() / 1000) > toleranceSeconds) throw refusal("iat must be now");
  return { sub, sid, jti };
}

async function validate(token: string): Promise<Claims> {
  try {
    const { client } = await findProvider();
    const validating = client as Validating;
    const algorithm = client.metadata.id_token_signed_response_alg;
    const { payload } = await validating.validateJWT(token, algorithm, ["iss", "aud", "iat", "exp", "jti", "events"]);
    return payload;
  } catch (error) {
    if (isProviderDown(error)) throw new AppError("unavailable", undefined, { cause: error });
    // These messages name claims and expected values, never the token.
    if (error instanceof errors.RPError) throw refusal(error.message.slice(0, 200));
    throw refusal("it cannot be read");
  }
}

const refusal = (reason: string) => new AppError("invalid", `logout_token is invalid: ${reason}`);
