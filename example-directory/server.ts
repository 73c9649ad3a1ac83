import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, type Call, refusal } from "@/example-directory/answer";
import { deliver, send } from "@/example-directory/delivery";
import type { ExampleFaults } from "@/example-directory/faults";
import type { ReceivedCalls } from "@/example-directory/received";
import type { CallKeys } from "@/example-directory/routes";

/** Bytes; no request to the directory is anywhere near. */
const longestBody = 8 * 2 ** 20;

export interface ServerParts {
  /** What stands before `/api/v2`: empty, or a path that begins with a slash. */
  readonly prefix: string;
  readonly faults: ExampleFaults;
  readonly received: ReceivedCalls;
  readonly answer: (call: Call, keys: CallKeys) => Promise<Answer>;
}

/** The transport of the example directory: reads requests, keeps them, answers them as the faults of the moment say. */
export function createDirectoryServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      // The caller has gone, a seed file cannot be read, or a fault asked for the impossible: none may end the process.
      if (!response.headersSent)
        send(response, refusal(500, error instanceof Error ? error.message : "Internal error"));
      else response.destroy();
    });
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
  const call = buildCall(request, body, parts.prefix);
  parts.received.add(call, request);
  const keys = { publicKey: headerOf(request, "public_key"), secretKey: headerOf(request, "secret_key") };
  await deliver(parts.faults.take(call), {
    call,
    request,
    response,
    faults: parts.faults,
    answer: (asked) => parts.answer(asked, keys),
    gone: gone.signal,
  });
}

/** Null: longer than allowed. The rest is read and dropped, so that the sender gets to read the answer. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= longestBody) pieces.push(piece);
  }
  return length <= longestBody ? Buffer.concat(pieces).toString("utf8") : null;
}

function buildCall({ method = "GET", url = "/" }: IncomingMessage, body: string, prefix: string): Call {
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  const start = `${prefix}/api/v2/`;
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
