import { oncePer } from "@/lib/platform/once-per";
import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { PolicyRequest } from "@/lib/policy/answer/policy-request";
import { findInEntries, findInShared, sharedTable } from "@/lib/policy/checks/findings";
import type { Fragment } from "@/lib/policy/gzip/fragment";
import { isUnfit, type HeadUnitBuild } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { withoutPrivateKey } from "@/lib/policy/preview";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";

/** Sizes depend only on its length. */
const anyRequestId = "00000000-0000-4000-8000-000000000000";
const answerEnd = "}]}";

/**
 * Like a vehicle API worker (rule L15), checked like by head units (rule L18). The pieces of the table are byte for byte
 * what vehicles get, apart from the removed private key.
 */
export function simulateAnswer(policy: CompiledPolicy, request: PolicyRequest) {
  const parts = buildAnswer(policy, request, anyRequestId);
  const { pieces, entries, length } = readTable(parts, policy, request);
  const { ofHeadUnits, groups } = findInShared(policy);
  const own = Object.entries(JSON.parse(`{${entries.slice(0, -"}".length)}`) as Record<string, unknown>).filter(
    ([id]) => !fixedEntryNames.some((name) => name === id),
  );
  const findings = request.isOlder ? olderFindings(policy) : ofHeadUnits;
  const found = [...findings, ...findInEntries(Object.fromEntries(own), groups)];
  const judge = (build: HeadUnitBuild) => {
    const ofBuild = found.filter((finding) => finding.build === "both" || finding.build === build);
    return { is_accepted: !ofBuild.some(isUnfit), findings: ofBuild };
  };
  return {
    pieces,
    bytes: { plain: length, gzip: joinGzip(parts).length },
    verdict: { regular: judge("regular"), external: judge("external") },
  };
}

function readTable(parts: AnswerParts, policy: CompiledPolicy, request: PolicyRequest) {
  const [envelope, opening] = parts;
  const shared = policy.opening(request.fullAppIdSupported, request.isOlder);
  if (typeof envelope !== "string" || opening !== shared) {
    throw new TypeError("an answer begins with its envelope and the shared sections");
  }
  const { length } = joinPlain(parts);
  const rest = joinPlain(parts.slice(2)).buffers;
  const entries = Buffer.concat(rest).toString().slice(0, -answerEnd.length);
  return { pieces: [shownBytes(shared), entries], entries, length };
}

/** Shared by all responses of a policy. A pattern would take a tenth of a second to find nothing in a long one. */
const shownBytes = oncePer(({ bytes }: Fragment) => {
  const at = bytes.indexOf("-----BEGIN");
  if (at === -1) return bytes;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(withoutPrivateKey(bytes.toString("utf8", at)))]);
});
const olderFindings = oncePer((policy: CompiledPolicy) => checkPolicyTable(sharedTable(policy, true)));
