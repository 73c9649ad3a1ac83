import "server-only";
import { z } from "zod";
import type { DirectoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import { findFailureCode } from "@/lib/platform/errors";
import { parseJsonWithin } from "@/lib/platform/http/read/json-depth";
import { isStopped, withDeadline } from "@/lib/platform/async";
import { inSpan, isTracing } from "@/lib/platform/traces/traces";
import { packageVersion } from "@/lib/platform/version";
import { fetchOutgoing, readLimitedBytes, BodyTooLong } from "@/lib/platform/http/outgoing-fetch";

/** Maximum size of a response in bytes (rule H7, `processes.md` N10): a page of 50 apps needs a tenth of it. */
const maxBytes = 4 * 1024 * 1024;
/** One and a half times the depth of any response. */
const maxDepth = 12;
const refusals: ReadonlySet<number> = new Set([400, 401, 402, 403]);

/** Query parameters that are `null` or `undefined` are not sent (rule H2). */
export interface DirectoryCall {
  readonly method: "GET" | "PUT";
  readonly entity: string;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
}

interface CallLimits {
  /** Milliseconds for the whole call including the response (rule H1). */
  readonly deadlineMs: number;
  /** Each of them aborts the call. */
  readonly stops: readonly AbortSignal[];
}

interface Answer {
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Returns a JSON object. Throws only DirectoryRefused (H4) and DirectoryFailed (H5), never quoting a key. */
export async function callDirectory(endpoint: DirectoryEndpoint, call: DirectoryCall, limits: CallLimits) {
  const { status, body } = await traced(endpoint, call, () => fetchAnswer(endpoint, call, limits));
  const said = readMessage(body, [endpoint.publicKey, endpoint.secretKey]);
  if (refusals.has(status) && body !== undefined) {
    throw new DirectoryRefused(`The app directory refused the call with status ${status}${said}`, status);
  }
  if (status < 200 || status > 299) {
    throw new DirectoryFailed(`The app directory answered with status ${status}${said}`, status);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new DirectoryFailed("The app directory answered with something other than a JSON object", status);
  }
  return body;
}

function traced({ baseUrl }: DirectoryEndpoint, { method, entity }: DirectoryCall, work: () => Promise<Answer>) {
  if (!isTracing()) return work();
  const { hostname, port, protocol, pathname } = new URL(`${baseUrl}/api/v2/${entity}`);
  const attributes = {
    "http.request.method": method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "url.path": pathname,
  };
  return inSpan(`${method} ${pathname}`, { kind: "client", attributes }, async (span) => {
    const answer = await work();
    span?.set({ "http.response.status_code": answer.status });
    if (answer.status >= 400) span?.end(true);
    return answer;
  });
}

async function fetchAnswer(endpoint: DirectoryEndpoint, call: DirectoryCall, { deadlineMs, stops }: CallLimits) {
  try {
    return await withDeadline(deadlineMs, stops, async (signal): Promise<Answer> => {
      const response = await fetchOutgoing(buildUrl(endpoint.baseUrl, call), {
        method: call.method,
        headers: buildHeaders(endpoint, call),
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        // A redirect would send the keys elsewhere; it counts as an unexpected status.
        redirect: "manual",
        cache: "no-store",
        signal,
      });
      return { status: response.status, body: parseBody(await readLimitedBytes(response, maxBytes)) };
    });
  } catch (error) {
    throw new DirectoryFailed(describeFailure(error, { deadlineMs, stops }));
  }
}

/** Parsed on this thread (`docs/adr/0086-parse-directory-answers-in-place.md`). */
function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseJsonWithin(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), maxDepth);
  } catch {
    return undefined;
  }
}

function buildUrl(baseUrl: string, { entity, query = {} }: DirectoryCall): string {
  const sent = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const url = `${baseUrl}/api/v2/${entity}`;
  // URLSearchParams encodes a space as "+", which is not percent-encoding; a literal "+" is already %2B.
  return sent.length === 0 ? url : `${url}?${new URLSearchParams(sent).toString().replaceAll("+", "%20")}`;
}

function buildHeaders({ publicKey, secretKey }: DirectoryEndpoint, { method }: DirectoryCall): Record<string, string> {
  return {
    public_key: publicKey,
    secret_key: secretKey,
    sdl_server_version: packageVersion,
    Accept: "application/json",
    ...(method === "PUT" ? { "Content-Type": "application/json; charset=UTF-8" } : {}),
  };
}

const envelope = z.object({ meta: z.object({ message: z.string() }) });

/** The app directory's message about a failure, as the end of a sentence. */
function readMessage(body: unknown, secrets: readonly string[]): string {
  const message = cleanText(envelope.safeParse(body).data?.meta.message ?? "", secrets);
  return message === "" ? "" : `: ${message}`;
}

/** The platform's messages may quote headers and URLs, so only codes and names are used. */
function describeFailure(error: unknown, { deadlineMs, stops }: CallLimits): string {
  if (error instanceof BodyTooLong)
    return `The app directory's answer is too long: more than ${maxBytes / 1024 / 1024} MB`;
  if (isStopped(stops)) return "The call of the app directory was stopped";
  if (error instanceof Error && error.name === "AbortError") {
    return `The app directory did not answer within ${deadlineMs / 1000} s`;
  }
  return `The app directory cannot be reached (${findFailureCode(error)})`;
}

const longestText = 300;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const patternCharacters = /[\\^$.*+?()[\]{}|]/g;

/** For log lines and errors (rule H8): removes secrets in any case or encoding, puts it on one line and shortens it. */
export function cleanText(text: string, secrets: readonly string[]): string {
  // One spelling may contain another, so the longest comes first.
  const spellings = secrets.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
  const hidden = spellings.reduce((rest, spelling) => {
    return rest.replaceAll(new RegExp(spelling.replaceAll(patternCharacters, "\\$&"), "gi"), "***");
  }, text);
  return hidden.replaceAll(unprintable, " ").trim().slice(0, longestText);
}

function spellingsOf(secret: string): string[] {
  const encoded = new URLSearchParams({ s: secret }).toString().slice(2);
  const bytes = Buffer.from(secret);
  const spellings = [secret, encoded, encoded.replaceAll("+", "%20"), bytes.toString("base64").replaceAll("=", "")];
  return spellings.filter((spelling) => spelling !== "");
}
