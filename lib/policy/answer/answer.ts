import { AnswerJoiner, type AnswerBytes } from "@/lib/policy/gzip/answer-bytes";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { Fragment } from "@/lib/policy/gzip/fragment";
import { copiedMembers, type PolicyRequest } from "@/lib/policy/answer/policy-request";

/** An answer in pieces: ready-made fragments, and the little text that differs from answer to answer. */
export type AnswerParts = readonly (string | Fragment)[];

/** The whole answer to a shortened table: envelope and table (rules G1, A1). */
export function buildAnswer(policy: CompiledPolicy, request: PolicyRequest, requestId: string): AnswerParts {
  const parts: (string | Fragment)[] = [envelopeStart(requestId)];
  parts.push(policy.opening(request.fullAppIdSupported, request.isOlder));
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

/** The bytes of an answer as they are. */
export function joinPlain(parts: AnswerParts): AnswerBytes {
  const joiner = new AnswerJoiner();
  for (const part of parts) {
    if (typeof part === "string") joiner.addText(part);
    else joiner.addBytes(part.bytes);
  }
  return joiner.finish();
}
