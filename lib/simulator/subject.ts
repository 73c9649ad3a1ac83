import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { Decision } from "@/lib/simulator/decision";
import { explainGroups, type GrantedGroup } from "@/lib/simulator/group-causes";
import type { GroupContent } from "@/lib/simulator/group-content";
import type { SimulatorView } from "@/lib/simulator/view";
import type { ItemFamily } from "@/lib/releases/vocabulary";
import { listProviders, type Want } from "@/lib/simulator/wants";
import type { HmiLevel } from "@/lib/words/vocabulary";

/** "May the app call this RPC, with this parameter, at this level?" */
export interface Question {
  readonly rpc: string;
  /** Null: whatever parameters. */
  readonly parameter: string | null;
  readonly level: HmiLevel;
}

/** A stored version that is not served, and what it would be called. */
export interface OtherVersion {
  readonly label: string;
  /** As entries are built from it. */
  readonly version: SnapshotAppVersion;
}

/** What a question is about. */
export interface Subject {
  readonly view: SimulatorView;
  readonly decision: Decision;
  readonly question: Question;
}

/** One thing that changes the answer to a question, and the item that would have to be edited; null: none is stored. */
export interface Remedy {
  readonly sentence: string;
  readonly item: { readonly family: ItemFamily; readonly key: string } | null;
}

/** The want behind a question. */
export function questionWant({ rpc, parameter }: Question): Want {
  return parameter === null ? { kind: "rpc", name: rpc } : { kind: "parameter", name: parameter, rpc };
}

/** Those of some groups that allow what is asked about. */
export function listAnswering({ view, question }: Subject, groups: readonly GrantedGroup[]): readonly GroupContent[] {
  const names = new Set(groups.map(({ group }) => group.name));
  return listProviders(view, questionWant(question), question.level, names);
}

/** Whether an app with this version would be allowed what is asked about. */
export function wouldAllow(subject: Subject, app: SnapshotApp, version: SnapshotAppVersion): boolean {
  return listAnswering(subject, explainGroups(subject.view, app, version)).length > 0;
}
