/**
 * The example provider as a process of its own, with the faults that tests want: `POST /test` with `{claims}` changes what
 * the next ID tokens say, with `{groups: {person: []}}` whose groups somebody has, with `{rotate: true}` the key,
 * with `{isDown: true}` it answers 503 to everybody else. Argument: the origin of the policy server. Its first line on the
 * standard output is the issuer.
 */
import { createSign } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ExampleProvider } from "@/example-login/provider";
import { startExampleLogin } from "@/example-login/server";

interface Faults {
  readonly claims?: Record<string, unknown> | null;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly rotate?: boolean;
  readonly isDown?: boolean;
}

let claims: Record<string, unknown> | null = null;
let isDown = false;

const login = await startExampleLogin({
  origins: [process.argv[2] ?? ""],
  prepare: ({ provider, privateKey }: ExampleProvider) => {
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
        response.end("{}");
      });
      return true;
    }
    if (isDown) response.writeHead(503).end();
    return isDown;
  },
});
console.log(login.issuer);

function change(faults: Faults): void {
  if (faults.claims !== undefined) claims = faults.claims;
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
  const text = `${head}.${Buffer.from(JSON.stringify({ ...said, ...Object.fromEntries(times) })).toString("base64url")}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}

async function readJson(request: IncomingMessage): Promise<Faults> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Faults;
}
