import type { GroupRule } from "@/lib/policy/table/app-groups";
import { fixedEntries, type FixedEntryName } from "@/lib/policy/table/app-policies";
import type { SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { SimulatorView } from "@/lib/policy/why/view";
import type { GrantCause } from "@/lib/policy/why/vocabulary";
import type { HmiLevel } from "@/lib/vocabulary/terms";

export interface Cause {
  readonly rule: GroupRule | "A29";
  readonly because: GrantCause;
  readonly permission: string | null;
  readonly level: HmiLevel | null;
}

export interface GrantedGroup {
  readonly group: SnapshotGroup;
  readonly causes: readonly Cause[];
}

const causesOf: Readonly<Record<GroupRule, GrantCause>> = {
  A13: "default group",
  A14: "requested permission",
  A15: "requested permission",
  A16: "requested permission",
  A17: "app service provider",
  A18: "administrator",
  A19: "proprietary grant",
  A20: "background alert",
  A21: "widget",
};

export function levelOf(hmiLevel: SnapshotAppVersion["permissions"][number]["hmiLevel"]): HmiLevel | null {
  switch (hmiLevel) {
    case "HMI_FULL":
      return "FULL";
    case "HMI_LIMITED":
      return "LIMITED";
    case "HMI_BACKGROUND":
      return "BACKGROUND";
    case "HMI_NONE":
      return "NONE";
    case null:
      return null;
  }
}

/** Rules A13 to A22, in the order of the table. */
export function explainGroups(
  view: SimulatorView,
  app: Pick<SnapshotApp, "isAdministratorApp">,
  version: SnapshotAppVersion,
): GrantedGroup[] {
  const found = new Map<number, Cause[]>();
  view.rules.apply(app, version, (rule, positions, permission) => {
    const cause = {
      rule,
      because: causesOf[rule],
      permission: permission?.key ?? null,
      level: levelOf(permission?.hmiLevel ?? null),
    };
    for (const position of positions) {
      const causes = found.get(position);
      if (causes === undefined) found.set(position, [cause]);
      else causes.push(cause);
    }
  });
  return view.rules.groups.flatMap((group, position) => {
    const causes = found.get(position);
    return causes === undefined ? [] : [{ group, causes: withoutRepeats(causes) }];
  });
}

/** A module may lead to a group through several RPCs, and a list may contain a name twice. */
function withoutRepeats(causes: readonly Cause[]): Cause[] {
  const byText = new Map(
    causes.map((cause) => [`${cause.rule} ${cause.level ?? ""} ${cause.permission ?? ""}`, cause]),
  );
  return [...byText.values()].sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0));
}

const becauseOf: Readonly<Record<FixedEntryName, GrantCause>> = {
  default: "default group",
  device: "device",
  pre_DataConsent: "pre-consent",
};

/** Every table has these entries (rule A29). */
export function explainFixed(view: SimulatorView, entry: FixedEntryName): GrantedGroup[] {
  const causes = [{ rule: "A29", because: becauseOf[entry], permission: null, level: null }] as const;
  return view.rules.groups.filter(fixedEntries[entry]).map((group) => ({ group, causes }));
}
