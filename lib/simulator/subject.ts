import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { Decision } from "@/lib/simulator/decision";
import { explainGroups, type GrantedGroup } from "@/lib/simulator/group-causes";
import type { GroupContent } from "@/lib/simulator/group-content";
import type { SimulatorView } from "@/lib/simulator/view";
import type { ItemFamily } from "@/lib/content/releases/vocabulary";
import { askCars, isGrantedBy, listGivers, type Builds, type CarQuestion } from "@/lib/simulator/car-answer";
import type { Want } from "@/lib/simulator/wants";
import type { HmiLevel } from "@/lib/labels/vocabulary";

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

/** What cars say to a question about an app with some groups. */
export interface CarAnswer {
  readonly asked: CarQuestion;
  readonly builds: Builds;
  /** Whether every chosen build allows it. */
  readonly isAllowed: boolean;
  /** Those of the groups that allow it by themselves, or together (C3). */
  readonly answering: readonly GroupContent[];
}

/** Asks the cars about an app with these groups. */
export function answerFor({ view, question }: Subject, groups: readonly GrantedGroup[]): CarAnswer {
  const granted = new Set(groups.map(({ group }) => group.name));
  const asked = { want: questionWant(question), level: question.level, granted };
  const builds = askCars(view, asked);
  return { asked, builds, isAllowed: isGrantedBy(view, builds), answering: listGivers(view, asked, builds).all };
}

/** Whether an app with this version would be allowed what is asked about. */
export function wouldAllow(subject: Subject, app: SnapshotApp, version: SnapshotAppVersion): boolean {
  return answerFor(subject, explainGroups(subject.view, app, version)).isAllowed;
}
