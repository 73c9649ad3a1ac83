import "server-only";
import { StreamedData } from "@/lib/platform/http/streamed-data";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { matchApp } from "@/lib/policy/table/match-app";
import { createPacer } from "@/lib/platform/process/pacer";
import type { AppReasonsJson, SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { decide, type FindFacts } from "@/lib/policy/why/decision";
import { explainDecision, toGroupReason } from "@/lib/policy/why/explain";
import { explainFixed } from "@/lib/policy/why/group-causes";
import { withVersion, loadFacts, requireState } from "@/app/_simulator/queries";
import { buildRequest, type SimulatedRequest } from "@/app/_simulator/request";
import type { SimulateBody } from "@/lib/policy/why/schema";
import { simulateAnswer } from "@/app/_simulator/simulate";
import type { SimulatorView } from "@/lib/policy/why/view";

/** At some 100 bytes each; the table contains the rest. */
const maxListed = 10_000;

/**
 * Responds as to a vehicle, with the reasons (`releases.md` L15, L18).
 * @returns JSON text in chunks, so that the table stays byte for byte what vehicles get
 * @throws AppError 400 for a request that vehicles could not send, 404 unknown release, 503 no policy;
 * DatabaseUnavailable
 */
export async function simulate(body: SimulateBody): Promise<StreamedData> {
  const state = await requireState(body.release ?? body.environment);
  const { policy } = state;
  const request = buildRequest(body, policy.snapshot.apps);
  const view = withVersion(state, request.version);
  const findFacts = await loadFacts(listUuids(view, request));
  const { tableText, ...judged } = simulateAnswer(policy, request.asked);
  const rest: Omit<SimulationAnswer, "table" | "reasons"> = {
    fixed: fixedEntryNames.map((id) => ({
      id,
      groups: explainFixed(view, id).map((granted) => toGroupReason(view, granted, true)),
    })),
    request: { policy_table: request.table },
    head_unit: request.version,
    ...judged,
  };
  return StreamedData.start(joinPieces(tableText, explainAll(view, request, findFacts), rest));
}

async function* joinPieces(
  tableText: string,
  reasons: AsyncIterable<AppReasonsJson>,
  rest: object,
): AsyncGenerator<string> {
  yield `{"table":${tableText},"reasons":[`;
  let before = "";
  for await (const one of reasons) {
    yield before + JSON.stringify(one);
    before = ",";
  }
  yield `],${JSON.stringify(rest).slice(1)}`;
}

/** Long or short ids. */
function listUuids({ snapshot }: SimulatorView, { asked }: SimulatedRequest): Set<string> {
  return new Set(asked.apps.flatMap(([id]) => matchApp(snapshot.apps, id, true)?.uuid ?? []));
}

/** One at a time while the response is sent. */
async function* explainAll(
  view: SimulatorView,
  { asked }: SimulatedRequest,
  findFacts: FindFacts,
): AsyncGenerator<AppReasonsJson> {
  const pace = createPacer();
  let listed = 0;
  for (const [id] of asked.apps) {
    const decision = decide(view, id, asked.fullAppIdSupported, findFacts);
    const reasons = explainDecision(view, decision, listed < maxListed);
    listed += reasons.groups.reduce((sum, { rpcs }) => sum + rpcs.length, 0);
    yield reasons;
    await pace();
  }
}
