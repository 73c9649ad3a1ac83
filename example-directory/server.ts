import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, type Call, refusal } from "@/example-directory/answer";
import type { CallKeys } from "@/example-directory/routes";

/** In bytes; no request to the app directory comes close. */
const longestBody = 8 * 2 ** 20;

export interface Delivery {
  readonly call: Call;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: (call: Call) => Promise<Answer>;
  readonly gone: AbortSignal;
}

export type Deliver = (delivery: Delivery) => Promise<void>;

export const deliverRight: Deliver = async ({ call, response, answer }) => send(response, await answer(call));

export interface ServerParts {
  readonly answer: (call: Call, keys: CallKeys) => Promise<Answer>;
  readonly deliver: Deliver;
}

export function createDirectoryServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      // The caller has disconnected, or a seed file is unreadable: neither may end the process.
      if (!response.headersSent)
        send(response, refusal(500, error instanceof Error ? error.message : "Internal error"));
      else response.destroy();
    });
  });
}

export function send(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body);
  writeHead(response, answer, body.length);
  response.end(body);
}

export function writeHead(response: ServerResponse, { status, type, headers }: Answer, length?: number): void {
  response.writeHead(status, {
    "Content-Type": type,
    ...(length !== undefined && { "Content-Length": length }),
    ...headers,
  });
}

async function handle(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const body = await readBody(request);
  if (body === null) {
    send(response, refusal(413, "Body too large"));
    return;
  }
  const call = buildCall(request, body);
  const keys = { publicKey: headerOf(request, "public_key"), secretKey: headerOf(request, "secret_key") };
  const answer = (asked: Call) => parts.answer(asked, keys);
  await parts.deliver({ call, request, response, answer, gone: gone.signal });
}

/** Null: longer than allowed. The rest is read and dropped, so that the sender can read the response. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= longestBody) pieces.push(piece);
  }
  return length <= longestBody ? Buffer.concat(pieces).toString("utf8") : null;
}

function buildCall({ method = "GET", url = "/" }: IncomingMessage, body: string): Call {
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const start = "/api/v2/";
  return {
    method,
    path: path.startsWith(start) ? path.slice(start.length) : path,
    query: new URLSearchParams(query),
    body: body === "" ? null : body,
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : value.toString();
}
