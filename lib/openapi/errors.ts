import { type RouteFacts } from "@/lib/http/route-facts";
import { type Operation, type Reference, type ResponseObject, type SecurityScheme } from "@/lib/openapi/document";
import { type JsonSchema } from "@/lib/openapi/json-schema";

const failures = {
  BadRequest: [400, "A value is missing or wrong, or a rule forbids the change; the message names it"],
  Unauthorized: [401, "Password or key missing or wrong"],
  Conflict: [409, "The data changed meanwhile, or head units would refuse them; data says more"],
  PayloadTooLarge: [413, "The body is larger than 1 MiB"],
  UnsupportedMediaType: [415, "The body is neither JSON nor a form, or its encoding is unknown"],
  Misdirected: [421, "While AUTH_TYPE is not set: the request names the server by a name that may be somebody else's"],
  InternalError: [500, "Unexpected failure; the log has it under the request id"],
  Unavailable: [503, "The database cannot be reached, or the first data are not loaded yet"],
} as const;
type Failure = keyof typeof failures;

const retryAfter = { description: "Seconds to wait", schema: { type: "integer" } } as const;

/** The answers to failures, which all routes share. */
export function errorResponses(schema: JsonSchema): Record<Failure, ResponseObject> {
  const build = (name: Failure): ResponseObject => ({
    description: failures[name][1],
    ...(name === "Unavailable" ? { headers: { "Retry-After": retryAfter } } : {}),
    content: { "application/json": { schema } },
  });
  return {
    BadRequest: build("BadRequest"),
    Unauthorized: build("Unauthorized"),
    Conflict: build("Conflict"),
    PayloadTooLarge: build("PayloadTooLarge"),
    UnsupportedMediaType: build("UnsupportedMediaType"),
    Misdirected: build("Misdirected"),
    InternalError: build("InternalError"),
    Unavailable: build("Unavailable"),
  };
}

/** The failures that a route can answer with (`api.md` 0.5). */
export function listErrors(facts: RouteFacts, body: JsonSchema | undefined): Readonly<Record<string, Reference>> {
  const members = body?.properties ?? {};
  const isClosed = facts.auth === "admin" || facts.auth === "visitor";
  const possible: readonly (readonly [Failure, boolean])[] = [
    ["BadRequest", Object.keys(facts.input).length > 0],
    ["Unauthorized", facts.auth !== "public" && facts.auth !== "visitor"],
    ["Misdirected", isClosed],
    // An edit says what it started from, a promotion whether it may publish what head units refuse.
    ["Conflict", JSON.stringify(members).includes('"base_id"') || "force" in members],
    ["PayloadTooLarge", body !== undefined],
    ["UnsupportedMediaType", body !== undefined],
    ["InternalError", facts.form === "envelope"],
    ["Unavailable", !facts.beforeReady],
  ];
  return Object.fromEntries(
    possible
      .filter(([, isPossible]) => isPossible)
      .map(([name]) => [String(failures[name][0]), { $ref: `#/components/responses/${name}` }]),
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
    name: "next-auth.session-token",
    description: "What a login sets; over TLS the name begins with __Secure-. Changes also need a same-origin header",
  },
  webhookKey: {
    type: "apiKey",
    in: "header",
    name: "public_key",
    description: "The public key of the app directory",
  },
};

/** What a caller must show (`api.md` 0.6). */
export function securityOf({ auth }: RouteFacts): Operation["security"] {
  if (auth === "public" || auth === "visitor") return [];
  return auth === "admin" ? [{ password: [] }, { session: [] }] : [{ webhookKey: [] }];
}
