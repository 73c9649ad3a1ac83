import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { PolicyRequest } from "@/lib/policy/answer/policy-request";
import type { HeadUnitBuild, HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { withoutPrivateKey } from "@/lib/policy/preview";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { SimulationAnswer } from "@/lib/simulator/answer-schema";

/** As long as any request id: sizes depend on nothing else of it. */
const anyRequestId = "00000000-0000-4000-8000-000000000000";
/** What follows the table in an answer. */
const answerEnd = "}]}";

/** What a vehicle would get (`releases.md` L15, L18). */
export interface SimulatedAnswer {
  /** JSON text of the policy table, byte for byte as vehicles get it but for a private key, which is taken out. */
  readonly tableText: string;
  readonly bytes: SimulationAnswer["bytes"];
  readonly verdict: SimulationAnswer["verdict"];
}

/** Answers a request as a lane does (rule L15), and says what head units make of it (rule L18). */
export function simulateAnswer(policy: CompiledPolicy, request: PolicyRequest): SimulatedAnswer {
  const parts = buildAnswer(policy, request, anyRequestId);
  const { table, redacted, length } = readTable(parts, policy, request);
  return {
    tableText: redacted,
    bytes: { plain: length, gzip: joinGzip(parts).length },
    verdict: judge(checkPolicyTable(JSON.parse(table))),
  };
}

/** JSON text of the table that answers a request, with the private key of the module certificate taken out. */
export function buildTableText(policy: CompiledPolicy, request: PolicyRequest): string {
  return readTable(buildAnswer(policy, request, anyRequestId), policy, request).redacted;
}

function readTable(parts: AnswerParts, policy: CompiledPolicy, { fullAppIdSupported }: PolicyRequest) {
  const [envelope] = parts;
  if (typeof envelope !== "string") throw new TypeError("an answer begins with its envelope");
  const { buffers, length } = joinPlain(parts);
  const table = Buffer.concat(buffers).toString().slice(envelope.length, -answerEnd.length);
  const opening = policy.opening(fullAppIdSupported).bytes.toString();
  return { table, redacted: withoutPrivateKey(opening) + table.slice(opening.length), length };
}

function judge(findings: readonly HeadUnitFinding[]): SimulationAnswer["verdict"] {
  const of = (build: HeadUnitBuild) => {
    const own = findings.filter((finding) => finding.build === "both" || finding.build === build);
    return { is_accepted: own.every(({ severity }) => severity !== "refused"), findings: own };
  };
  return { regular: of("regular"), external: of("external") };
}
