import "server-only";
import { type Piece, StreamedData } from "@/lib/platform/http/streamed-data";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { matchApp } from "@/lib/policy/table/match-app";
import { createPacer } from "@/lib/platform/process/pacer";
import type { AppReasonsJson, SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { decide, type FindFacts } from "@/lib/policy/why/decision";
import { explainDecision, listAllowed, toGroupReason } from "@/lib/policy/why/explain";
import { explainFixed } from "@/lib/policy/why/group-causes";
import { withVersion, loadFacts, requireState } from "@/app/_simulator/queries";
import { buildRequest, type SimulatedRequest } from "@/app/_simulator/request";
import type { SimulateBody } from "@/lib/policy/why/schema";
import { simulateAnswer } from "@/app/_simulator/simulate";
import type { SimulatorView } from "@/lib/policy/why/view";

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
  const { pieces, ...judged } = simulateAnswer(policy, request.asked);
  const fixed = fixedEntryNames.map((id) => ({ id, groups: explainFixed(view, id).map(toGroupReason) }));
  const rest: Omit<SimulationAnswer, "table" | "reasons" | "fixed" | "groups"> = {
    request: { policy_table: request.table },
    head_unit: request.version,
    ...judged,
  };
  const joinPieces = async function* (): AsyncGenerator<Piece> {
    const named = new Set(fixed.flatMap(({ groups }) => groups.map(({ group }) => group)));
    yield '{"table":';
    yield* pieces;
    yield ',"reasons":[';
    let before = "";
    for await (const one of explainAll(view, request, findFacts)) {
      for (const { group } of one.groups) named.add(group);
      yield before + JSON.stringify(one);
      before = ",";
    }
    yield `],${JSON.stringify({ fixed, groups: listAllowed(view, named), ...rest }).slice(1)}`;
  };
  return StreamedData.start(joinPieces());
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
  for (const [id] of asked.apps) {
    const decision = decide(view, id, asked.fullAppIdSupported, findFacts);
    yield explainDecision(view, decision);
    await pace();
  }
}
