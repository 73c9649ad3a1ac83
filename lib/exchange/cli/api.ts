import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { CommandRefusal, exitCodes } from "@/lib/exchange/cli/terminal";
import { fetchOutgoing } from "@/lib/platform/http/outgoing-fetch";
import type { Settings } from "@/lib/platform/settings";
import { withoutEndSlashes } from "@/lib/platform/http/api-path";

export interface CommonOptions {
  readonly json?: boolean | undefined;
  readonly server?: string | undefined;
  readonly token?: string | undefined;
}

export interface Connection {
  /** URL without a path, e.g. `https://policy.example.com`. */
  readonly server: string;
  readonly token?: string | undefined;
  /** Used without a token. */
  readonly password?: string | undefined;
}

export interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

const envelope = z.object({
  meta: z.object({ code: z.int(), message: z.string().nullable() }),
  data: z.unknown(),
});

/** Like any other client (`exchange.md` X2a). */
export interface Api {
  readonly server: string;
  /** Returns `data`; `path` comes after `/api/v1`. Throws CommandRefusal with the server's message. */
  ask(path: string, call?: Call): Promise<unknown>;
  /** Throws like `ask`, and if the file exists. Leaves no half file. */
  download(path: string, file: string, query?: Call["query"]): Promise<void>;
  /** The body of `GET /health/ready`, whatever its status. Throws CommandRefusal without a server. */
  readiness(): Promise<unknown>;
}

/** The server whose settings these are, on this machine; its password goes to no other. */
export function findOwnServer(settings: Settings, proof: Omit<Connection, "server">): Connection {
  const { tls, publicBaseUrl, policyServerPort: port, listenAddress: given, authType } = settings;
  const address = ownAddresses.get(given) ?? given ?? "127.0.0.1";
  const server = tls === null ? `http://${isIPv6(address) ? `[${address}]` : address}:${port}` : publicBaseUrl;
  const password = authType === "basic" ? (settings.basicAuthPassword ?? undefined) : undefined;
  return { server, ...proof, password: proof.password ?? (proof.token === undefined ? password : undefined) };
}

/** Where a server that listens on all addresses answers this machine. */
const ownAddresses: ReadonlyMap<string | null, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

const proof = "OPEN_POLICY_TOKEN or OPEN_POLICY_PASSWORD";

export function createApi({ server, token, password }: Connection): Api {
  const headers = {
    Accept: "application/json",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(password === undefined ? {} : { "BASIC-AUTH-PASSWORD": password }),
  };
  const send = async (path: string, { method = "GET", query = {}, body }: Call = {}) => {
    const url = new URL(withoutEndSlashes(server) + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    // Documents are long, and servers accept long bodies only if they are compressed.
    const init = body === undefined ? {} : { body: new Uint8Array(gzipSync(JSON.stringify(body))) };
    const type = body === undefined ? {} : { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    return fetchOutgoing(url, { method, headers: { ...headers, ...type }, ...init }).catch((error: unknown) => {
      throw new CommandRefusal(`${server} cannot be reached${reasonOf(error)}`, {}, [], exitCodes.unavailable);
    });
  };
  return {
    server,
    async ask(path, call) {
      const response = await send(`/api/v1${path}`, call);
      return requireSuccess(response, await readAnswer(response, envelope, server));
    },
    async download(path, file, query) {
      if (existsSync(file)) throw new CommandRefusal(`${file} exists already`);
      const response = await send(`/api/v1${path}`, query && { query });
      if (!response.ok) requireSuccess(response, await readAnswer(response, envelope, server));
      if (response.body === null) throw new CommandRefusal(`${server} has sent nothing`);
      const draft = `${file}.part`;
      try {
        const pieces = Readable.from(readPieces(response.body));
        await pipeline(pieces, createWriteStream(draft, { flags: "wx", mode: 0o600 }));
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async readiness() {
      return readAnswer(await send("/health/ready"), z.unknown(), server);
    },
  };
}

async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

async function readAnswer<T>(response: Response, answer: z.ZodType<T>, server: string): Promise<T> {
  const text = await response.text();
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    const sentence = `${server} answers ${response.status}, and not as a policy server does`;
    throw new CommandRefusal(sentence, {}, [], exitCodeOf(response));
  }
}

/** Of a proxy in front, or of a server that starts, stops or has no database. */
const exitCodeOf = ({ status }: Response) =>
  [502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.refused;

function requireSuccess(response: Response, { meta, data }: z.infer<typeof envelope>): unknown {
  if (response.ok) return data;
  const hint = response.status === 401 ? ` (${proof})` : "";
  throw new CommandRefusal(
    `${meta.message ?? `The server answers ${response.status}`}${hint}`,
    data,
    [],
    exitCodeOf(response),
  );
}

/** E.g. `: connect ECONNREFUSED 127.0.0.1:3000`. The address contains no secret. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : "";
}
