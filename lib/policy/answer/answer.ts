import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { Fragment } from "@/lib/policy/gzip/fragment";
import { copiedMembers, type PolicyRequest } from "@/lib/policy/answer/policy-request";

export type AnswerParts = readonly (string | Fragment)[];

/** The whole answer to a shortened table: envelope and table (rules G1, A1). */
export function buildAnswer(policy: CompiledPolicy, request: PolicyRequest, requestId: string): AnswerParts {
  const parts: (string | Fragment)[] = [envelopeStart(requestId)];
  parts.push(...policy.openingParts(request.fullAppIdSupported, request.isOlder));
  pushEntries(parts, "", policy, request);
  parts.push(policy.closing);
  return parts;
}

/** The answer of the app segment: only `app_policies` (rule G3). */
export function buildSegmentAnswer(policy: CompiledPolicy, request: PolicyRequest, requestId: string): AnswerParts {
  const parts: (string | Fragment)[] = [];
  pushEntries(parts, `${envelopeStart(requestId)}{"app_policies":{`, policy, request);
  parts.push(policy.closing);
  return parts;
}

function envelopeStart(requestId: string): string {
  return `{"meta":{"request_id":"${requestId}","code":200,"message":null},"data":[{"policy_table":`;
}

/** One entry per requested id, in order; the fixed entries follow in `closing` (rule A1). */
function pushEntries(
  parts: (string | Fragment)[],
  before: string,
  policy: CompiledPolicy,
  request: PolicyRequest,
): void {
  let text = before;
  for (const [id, sent] of request.apps) {
    const entry = policy.entryOf(id, request.fullAppIdSupported, request.isOlder);
    if (entry === "null") text += `${JSON.stringify(id)}:null,`;
    else if (entry === "default") text += `${JSON.stringify(id)}:"default",`;
    else {
      const copied = copiedMembers(sent);
      const named = copied === "" ? entry.named(id) : null;
      if (named === null) text += `${JSON.stringify(id)}:`;
      if (text !== "") parts.push(text);
      parts.push(named ?? entry.open);
      text = named === null ? `${copied}},` : "";
    }
  }
  if (text !== "") parts.push(text);
}

export function joinPlain(parts: AnswerParts): AnswerBytes {
  const joiner = new AnswerJoiner();
  for (const part of parts) {
    if (typeof part === "string") joiner.addText(part);
    else joiner.addBytes(part.bytes);
  }
  return joiner.finish();
}

export interface AnswerBytes {
  readonly buffers: readonly Buffer[];
  readonly length: number;
}

/** Pieces from this size in bytes on are not copied: a write takes longer than copying 26 kB, but less than 125 kB. */
const sendInPlace = 65_536;

/** Collects the pieces of an answer: copies small ones together and leaves large ones in place. */
export class AnswerJoiner {
  readonly #buffers: Buffer[] = [];
  #small: (string | Buffer)[] = [];
  #smallLength = 0;
  #length = 0;

  addText(text: string): void {
    this.#addSmall(text, Buffer.byteLength(text));
  }

  addBytes(bytes: Buffer): void {
    if (bytes.length < sendInPlace) {
      this.#addSmall(bytes, bytes.length);
      return;
    }
    this.#flush();
    this.#buffers.push(bytes);
    this.#length += bytes.length;
  }

  finish(): AnswerBytes {
    this.#flush();
    return { buffers: this.#buffers, length: this.#length };
  }

  #addSmall(piece: string | Buffer, length: number): void {
    this.#small.push(piece);
    this.#smallLength += length;
    this.#length += length;
  }

  #flush(): void {
    if (this.#small.length === 0) return;
    const joined = Buffer.allocUnsafe(this.#smallLength);
    let at = 0;
    for (const piece of this.#small) at += typeof piece === "string" ? joined.write(piece, at) : piece.copy(joined, at);
    this.#buffers.push(joined);
    this.#small = [];
    this.#smallLength = 0;
  }
}
