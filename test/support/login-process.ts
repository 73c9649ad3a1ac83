/**
 * The example provider as a separate process with faults for tests. `POST /test` with:
 * - `{claims}`: changes claims of the next ID tokens
 * - `{groups: {person: []}}`: changes a person's groups
 * - `{rotate: true}`: replaces the key
 * - `{isDown: true}`: responds to all other requests with 503
 * - `{hostile: {path, how, times}}`: responds to some requests for a path without an end
 * - `{refusal: {path, status, error}}`: refuses all requests for a path
 * - `{logout: claims}`: returns a `logoutToken`
 *
 * The response contains the hostile bytes `sent` and requests `left`. Argument: the origin of the policy server. Prints
 * the issuer first.
 */
import { createSign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ExampleProvider } from "@/bench/example-login/provider";
import { startExampleLogin } from "@/bench/example-login/server";

/** Only headers; slow endless blanks; 200 MB at once. */
type How = "stalled" | "endless" | "huge";
interface Hostile {
  readonly path: string;
  readonly how: How;
  /** Number of requests with this response; later ones are normal. */
  readonly times: number;
}

interface Refusal {
  readonly path: string;
  readonly status: number;
  readonly error: string;
}

interface Faults {
  readonly refusal?: Refusal | null;
  readonly hostile?: Hostile | null;
  readonly claims?: Record<string, unknown> | null;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly rotate?: boolean;
  readonly isDown?: boolean;
  readonly logout?: Record<string, unknown>;
}

let claims: Record<string, unknown> | null = null;
let isDown = false;
let refusal: Refusal | null = null;
let hostile: (Hostile & { left: number }) | null = null;
let sent = 0;

let signingKey = "";

const login = await startExampleLogin({
  origins: [process.argv[2] ?? ""],
  prepare: ({ provider, privateKey }: ExampleProvider) => {
    signingKey = privateKey;
    provider.use(async (context, next) => {
      await next();
      const { body } = context;
      if (claims === null || context.path !== "/token" || typeof body !== "object" || body === null) return;
      if ("id_token" in body) context.body = { ...body, id_token: resign(String(body.id_token), privateKey) };
    });
  },
  answerFirst: (request, response) => {
    if (request.url === "/test") {
      void readJson(request).then((faults) => {
        change(faults);
        const logoutToken = faults.logout && sign({ alg: "RS256", typ: "logout+jwt" }, faults.logout, signingKey);
        response.end(JSON.stringify({ sent, left: hostile?.left ?? 0, logoutToken }));
      });
      return true;
    }
    const path = request.url?.split("?")[0];
    if (refusal?.path === path && refusal !== null) {
      response.writeHead(refusal.status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error: refusal.error }));
      return true;
    }
    if (hostile !== null && hostile.left > 0 && path === hostile.path) {
      hostile.left -= 1;
      answerHostile(hostile.how, response);
      return true;
    }
    if (isDown) response.writeHead(503).end();
    return isDown;
  },
});
console.log(login.issuer);

function answerHostile(how: How, response: ServerResponse): void {
  const { socket } = response;
  socket?.once("close", () => {
    sent += socket.bytesWritten;
  });
  response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
  if (how === "stalled") return;
  const blanks = Buffer.alloc(how === "huge" ? 64 * 1024 : 1, " ");
  if (how === "huge") {
    // As much as the client accepts, up to 200 MB.
    Readable.from(Array.from({ length: 3200 }, () => blanks)).pipe(response);
    return;
  }
  const timer = setInterval(() => response.write(blanks), 20);
  response.once("close", () => clearInterval(timer));
}

function change(faults: Faults): void {
  if (faults.hostile !== undefined) {
    hostile = faults.hostile && { ...faults.hostile, left: faults.hostile.times };
    sent = 0;
  }
  if (faults.claims !== undefined) claims = faults.claims;
  if (faults.refusal !== undefined) refusal = faults.refusal;
  if (faults.isDown !== undefined) isDown = faults.isDown;
  if (faults.rotate === true) login.rotate();
  for (const person of login.people) person.groups = faults.groups?.[person.id] ?? person.groups;
}

/** The same token with other claims and a valid signature; times are in seconds from now. */
function resign(token: string, privateKey: string): string {
  const [head = "", payload = ""] = token.split(".");
  const said = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
  const now = Math.floor(Date.now() / 1000);
  const times = Object.entries(claims ?? {}).map(([name, value]) => [
    name,
    ["iat", "exp"].includes(name) ? now + Number(value) : value,
  ]);
  return sign(
    JSON.parse(Buffer.from(head, "base64url").toString()),
    { ...said, ...Object.fromEntries(times) },
    privateKey,
  );
}

function sign(head: object, claims: object, privateKey: string): string {
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}

async function readJson(request: IncomingMessage): Promise<Faults> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Faults;
}
