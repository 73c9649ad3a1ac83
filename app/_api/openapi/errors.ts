import type { ErrorCode } from "@/lib/platform/errors";
import { sessionCookie } from "@/lib/platform/http/headers/caller";
import { needOf, type RouteFacts } from "@/app/_api/route-facts";
import type { Operation, Reference, ResponseObject, SecurityScheme } from "@/app/_api/openapi/document";
import type { JsonSchema } from "@/lib/platform/zod/json-schema";

const failures = {
  BadRequest: [400, "A value is missing or wrong, or a rule forbids the change; the message names it"],
  Unauthorized: [401, "No credentials, or the password, token or key is wrong"],
  Forbidden: [
    403,
    "The caller lacks the role, which the message names, or the request comes from a page of another server",
  ],
  NotFound: [404, "Nothing exists at this address"],
  Conflict: [409, "The data has changed in the meantime, or head units would refuse it; data has the details"],
  PayloadTooLarge: [413, "The body is larger than 1 MiB"],
  UnsupportedMediaType: [415, "The body is neither JSON nor a form, or its encoding is not supported"],
  Misdirected: [421, "Only while AUTH_TYPE is not set: the request uses a host name that may be somebody else's"],
  TooManyRequests: [429, "Too many attempts from this address"],
  InternalError: [500, "Unexpected failure; look for the request id in the log"],
  Unavailable: [503, "The database cannot be reached or accepts no writes, or the first data is not loaded yet"],
  Timeout: [504, "The work takes more than 60 s; a change may still be made"],
} as const;
type Failure = keyof typeof failures;
const failureNames = Object.keys(failures) as readonly Failure[];

const nameOfCode: Readonly<Partial<Record<ErrorCode, Failure>>> = {
  invalid: "BadRequest",
  unauthorized: "Unauthorized",
  forbidden: "Forbidden",
  notFound: "NotFound",
  conflict: "Conflict",
  tooManyRequests: "TooManyRequests",
  unavailable: "Unavailable",
};

const retryAfter = { description: "Seconds to wait", schema: { type: "integer" } } as const;

export function errorResponses(schema: JsonSchema): Record<Failure, ResponseObject> {
  const build = (name: Failure): ResponseObject => ({
    description: failures[name][1],
    ...(name === "Unavailable" || name === "TooManyRequests" ? { headers: { "Retry-After": retryAfter } } : {}),
    content: { "application/json": { schema } },
  });
  return Object.fromEntries(failureNames.map((name) => [name, build(name)])) as Record<Failure, ResponseObject>;
}

/** The failures of a route (`api.md` 0.5): those implied by its facts, and those it declares itself. */
export function listErrors(
  facts: RouteFacts,
  body: JsonSchema | undefined,
  isWrite: boolean,
): Readonly<Record<string, Reference>> {
  const members = body?.properties ?? {};
  const requiresSignIn = needOf(facts) !== null;
  const isClosed = requiresSignIn || facts.needs === "visitor";
  const follows: Readonly<Partial<Record<Failure, boolean>>> = {
    BadRequest: Object.keys(facts.input).length > 0,
    Unauthorized: requiresSignIn || facts.needs === "webhook",
    // Not everybody has the role, and browsers may write only from pages of this server.
    Forbidden: requiresSignIn || (isClosed && isWrite),
    Misdirected: isClosed,
    TooManyRequests: requiresSignIn,
    // Edits name the record they are based on, promote routes whether to publish despite findings.
    Conflict: !facts.storesNothing && (JSON.stringify(members).includes('"base_id"') || "force" in members),
    PayloadTooLarge: body !== undefined,
    UnsupportedMediaType: body !== undefined,
    InternalError: facts.form === "envelope",
    Unavailable: !facts.beforeReady,
    Timeout: facts.form === "envelope",
  };
  const own = new Set(facts.failures.map((code) => nameOfCode[code]));
  return Object.fromEntries(
    failureNames
      .filter((name) => follows[name] === true || own.has(name))
      .map((name) => [String(failures[name][0]), { $ref: `#/components/responses/${name}` }]),
  );
}

export const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
  password: {
    type: "apiKey",
    in: "header",
    name: "BASIC-AUTH-PASSWORD",
    description: "The administrator's password; needed while AUTH_TYPE is basic",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description:
      "The cookie that a login sets; over TLS its name begins with __Host-. Changes also need a same-origin header",
  },
  token: {
    type: "http",
    scheme: "bearer",
    description: "An API token that an administrator has created, with the role of that token",
  },
  webhookKey: {
    type: "apiKey",
    in: "header",
    name: "public_key",
    description: "The public key of the app directory",
  },
};

export function securityOf(facts: RouteFacts): Operation["security"] {
  if (needOf(facts) !== null) return [{ password: [] }, { session: [] }, { token: [] }];
  return facts.needs === "webhook" ? [{ webhookKey: [] }] : [];
}
