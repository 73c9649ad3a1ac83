/**
 * The example provider as a process of its own, with the faults that tests want: `POST /test` with `{claims}` changes what
 * the next ID tokens say, with `{groups: {person: []}}` whose groups somebody has, with `{rotate: true}` the key,
 * with `{isDown: true}` it answers 503 to everybody else, with `{hostile: {path, how, times}}` it answers some requests for a
 * path by something that never ends, with `{refusal: {path, status, error}}` it refuses all requests for a path, with `{logout: claims}` it makes a `logoutToken`. The answer to `POST /test` tells how much of that was `sent`, and how many requests are `left`. Argument: the origin of the policy server. Its first line on the
 * standard output is the issuer.
 */
import { createSign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ExampleProvider } from "@/example-login/provider";
import { startExampleLogin } from "@/example-login/server";

/** Headers and nothing more; blanks for ever, slowly; 200 MB at once. */
type How = "stalled" | "endless" | "huge";
interface Hostile {
  readonly path: string;
  readonly how: How;
  /** How many requests are answered so; the next ones as usual. */
  readonly times: number;
}

interface Refusal {
  readonly path: string;
  readonly status: number;
  /** As OAuth names it. */
  readonly error: string;
}

interface Faults {
  readonly refusal?: Refusal | null;
  readonly hostile?: Hostile | null;
  readonly claims?: Record<string, unknown> | null;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly rotate?: boolean;
  readonly isDown?: boolean;
  /** Claims of a logout token that the answer is to hold. */
  readonly logout?: Record<string, unknown>;
}

let claims: Record<string, unknown> | null = null;
let isDown = false;
let refusal: Refusal | null = null;
let hostile: (Hostile & { left: number }) | null = null;
/** Bytes of hostile answers that the other side has taken. */
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
    // As much as the other side takes, up to 200 MB.
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

/** The same token with other claims, with the right signature: times are in seconds from now. */
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
