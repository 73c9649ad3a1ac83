import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { findFailureCode } from "@/lib/platform/errors";
import { fetchOutgoing } from "@/lib/platform/http/outgoing-fetch";

/** For one response, so that a stopped server cannot block the comparison forever. */
const timeoutMs = 120_000;

/** Milliseconds before each further attempt. A connection that fails once is no reason to give up an hour's comparison. */
const retryDelaysMs: readonly number[] = [250, 1_000, 3_000];

const answer = z.object({ data: z.tuple([z.object({ policy_table: z.unknown() })]) });

/**
 * Again if the connection fails. `table` is the value of `policy_table`. Throws Error with code and message of the last
 * failure, or if the answer is no policy table.
 */
export async function requestTable(
  url: string,
  table: object,
  delaysMs: readonly number[] = retryDelaysMs,
): Promise<unknown> {
  const { status, body } = await askOnce(url, table).catch(async (error: unknown) => {
    const [delay, ...later] = delaysMs;
    if (delay === undefined || codeOf(error) === null) throw unreachable(url, error);
    await sleep(delay);
    return { status: null, body: await requestTable(url, table, later) };
  });
  if (status === null) return body;
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new Error(`${url} answers ${status}, and not with a policy table`);
  return parsed.data.data[0].policy_table;
}

/** Throws the error of the connection, before or while the answer arrives. */
async function askOnce(url: string, table: object): Promise<{ status: number; body: unknown }> {
  const response = await fetchOutgoing(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ policy_table: table }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

function unreachable(url: string, error: unknown): Error {
  if (isTimeout(error)) return new Error(`${url} does not answer within ${timeoutMs / 1_000} s`, { cause: error });
  const [code, message] = [codeOf(error), messageOf(error)];
  const cause = code === null || message.includes(code) ? message : `${code}, ${message}`;
  return new Error(`${url} cannot be reached: ${cause}`, { cause: error });
}

/** E.g. `ECONNRESET`; null: it is no problem of the connection. */
function codeOf(error: unknown): string | null {
  const code = findFailureCode(error);
  return /^[A-Z][A-Z\d_]+$/.test(code) ? code : null;
}

/** The innermost message: `fetch` wraps the errors of connections, and those of several addresses once more. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) return messageOf(error.errors[0]);
  return error.cause === undefined ? error.message : messageOf(error.cause);
}
