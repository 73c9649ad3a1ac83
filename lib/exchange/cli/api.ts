import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { CommandRefusal } from "@/lib/exchange/cli/terminal";
import { fetchOutgoing } from "@/lib/platform/http/outgoing-fetch";
import { withoutEndSlashes } from "@/lib/platform/http/api-path";

export interface Connection {
  /** URL without a path, e.g. `https://policy.example.com`. */
  readonly server: string;
  readonly token?: string | undefined;
  /** Used without a token. */
  readonly password?: string | undefined;
}

interface Call {
  readonly method?: "GET" | "POST";
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

const envelope = z.object({
  meta: z.object({ code: z.int(), message: z.string().nullable() }),
  data: z.unknown(),
});

/** Like any other client (`exchange.md` X2a). */
export interface Api {
  /** Returns `data`; `path` comes after `/api/v1`. Throws CommandRefusal with the server's message. */
  ask(path: string, call?: Call): Promise<unknown>;
  /** Throws like `ask`. */
  download(path: string, file: string): Promise<void>;
}

const proof = "OPEN_POLICY_TOKEN or OPEN_POLICY_PASSWORD";

export function createApi({ server, token, password }: Connection): Api {
  const headers = {
    Accept: "application/json",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(password === undefined ? {} : { "BASIC-AUTH-PASSWORD": password }),
  };
  const send = async (path: string, { method = "GET", query = {}, body }: Call = {}) => {
    const url = new URL(`${withoutEndSlashes(server)}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    // Documents are long, and servers accept long bodies only if they are compressed.
    const init = body === undefined ? {} : { body: new Uint8Array(gzipSync(JSON.stringify(body))) };
    const type = body === undefined ? {} : { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    return fetchOutgoing(url, { method, headers: { ...headers, ...type }, ...init }).catch((error: unknown) => {
      throw new CommandRefusal(`${server} cannot be reached${reasonOf(error)}`);
    });
  };
  return {
    async ask(path, call) {
      const response = await send(path, call);
      return requireSuccess(response, await readEnvelope(response, server));
    },
    async download(path, file) {
      const response = await send(path);
      if (!response.ok) requireSuccess(response, await readEnvelope(response, server));
      if (response.body === null) throw new CommandRefusal(`${server} has sent nothing`);
      const pieces = Readable.from(readPieces(response.body));
      await pipeline(pieces, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    },
  };
}

async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

async function readEnvelope(response: Response, server: string) {
  const text = await response.text();
  try {
    return envelope.parse(JSON.parse(text));
  } catch {
    throw new CommandRefusal(`${server} answers ${response.status}, and not as a policy server does`);
  }
}

function requireSuccess(response: Response, { meta, data }: z.infer<typeof envelope>): unknown {
  if (response.ok) return data;
  const hint = response.status === 401 ? ` (${proof})` : "";
  throw new CommandRefusal(`${meta.message ?? `The server answers ${response.status}`}${hint}`, data);
}

/** E.g. `: connect ECONNREFUSED 127.0.0.1:3000`. The address contains no secret. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
}
