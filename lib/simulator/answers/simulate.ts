import { buildAnswer, joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import type { PolicyRequest } from "@/lib/policy/answer/policy-request";
import { isUnfit, type HeadUnitBuild, type HeadUnitFinding } from "@/lib/policy/head-unit/finding";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import type { SimulationAnswer } from "@/lib/simulator/answer-schema";
import { checkAnswer, openingFor, sharedPart } from "@/lib/simulator/answers/shared-part";

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

/** Answers a request as a vehicle worker does (rule L15), and says what head units make of it (rule L18). */
export function simulateAnswer(policy: CompiledPolicy, request: PolicyRequest): SimulatedAnswer {
  const parts = buildAnswer(policy, request, anyRequestId);
  const { text, entries, length } = readTable(parts, policy, request);
  return {
    tableText: text,
    bytes: { plain: length, gzip: joinGzip(parts).length },
    verdict: judge(checkAnswer(policy, request, entries)),
  };
}

/** JSON text of the table that answers a request, with the private key of the module certificate taken out. */
export function buildTableText(policy: CompiledPolicy, request: PolicyRequest): string {
  return readTable(buildAnswer(policy, request, anyRequestId), policy, request).text;
}

function readTable(parts: AnswerParts, policy: CompiledPolicy, request: PolicyRequest) {
  const [envelope, opening] = parts;
  if (typeof envelope !== "string" || opening !== openingFor(policy, request)) {
    throw new TypeError("an answer begins with its envelope and the shared sections");
  }
  const { length } = joinPlain(parts);
  const rest = joinPlain(parts.slice(2)).buffers;
  const entries = Buffer.concat(rest).toString().slice(0, -answerEnd.length);
  return { text: sharedPart(policy, request).text + entries, entries, length };
}

function judge(findings: readonly HeadUnitFinding[]): SimulationAnswer["verdict"] {
  const of = (build: HeadUnitBuild) => {
    const own = findings.filter((finding) => finding.build === "both" || finding.build === build);
    return { is_accepted: !own.some(isUnfit), findings: own };
  };
  return { regular: of("regular"), external: of("external") };
}
