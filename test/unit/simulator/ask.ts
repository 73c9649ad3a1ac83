/** Questions about one app, Roadtune, whose version 4 is served. */
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { decide, type FindFacts } from "@/lib/simulator/decision";
import { answerQuestion } from "@/lib/simulator/question";
import type { OtherVersion, Question } from "@/lib/simulator/decision";
import { prepareView } from "@/lib/simulator/view";
import type { Environment } from "@/lib/labels/vocabulary";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  anRpcSpec,
  anRpcSpecParam,
  aPermission,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";
import { countsPerPriority } from "@/test/support/module-config";

export const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const findFacts: FindFacts = () => ({
  name: "Roadtune",
  versions: [{ id: 1, label: "v4", approvalStatus: "ACCEPTED" }],
});
const permissions = [
  aPermission({ name: "Alert" }),
  aPermission({ name: "GetVehicleData" }),
  aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
];

export interface Case {
  readonly groups?: readonly Partial<SnapshotGroup>[];
  readonly version?: Partial<SnapshotAppVersion>;
  readonly app?: Partial<SnapshotApp>;
  readonly others?: readonly OtherVersion[];
  readonly question?: Partial<Question>;
  readonly snapshot?: Partial<PolicySnapshot>;
  readonly environment?: Environment;
}

/** What is stored of Roadtune and of the groups. */
interface Stored {
  readonly base?: SnapshotGroup;
  readonly groups: readonly Partial<SnapshotGroup>[];
  readonly version: Partial<SnapshotAppVersion>;
  readonly app: Partial<SnapshotApp>;
}

/** A snapshot whose only app is Roadtune. */
export function roadtuneSnapshot(
  { base = aBaseGroup(), groups, version, app }: Stored,
  others: Partial<PolicySnapshot>,
): PolicySnapshot {
  const stored = groups.map((group, index) => aGroup({ id: index + 2, ...group }));
  return aSnapshot({
    groups: inBothViews(base, ...stored),
    rpcSpec: anRpcSpec({
      functions: [{ name: "GetVehicleData", messageType: "response", params: [anRpcSpecParam({ name: "gps" })] }],
    }),
    apps: aCatalogue([anApp({ versions: [anAppVersion(version)], ...app })]),
    ...others,
  });
}

export function ask({
  groups = [],
  version = {},
  app = {},
  others = [],
  question = {},
  snapshot = {},
  environment = "production",
}: Case) {
  const named = groups.map((group, index) => ({ name: `G${index}`, ...group }));
  // With a limit above zero, the car lets every app alert in the background (C16).
  const moduleConfigs = inBothViews(aModuleConfig({ notificationsPerMinute: { ...countsPerPriority, NONE: 1 } }));
  const stored = roadtuneSnapshot({ groups: named, version, app }, { permissions, moduleConfigs, ...snapshot });
  const view = prepareView(stored, environment);
  const decision = decide(view, uuid, true, findFacts);
  return answerQuestion(
    { view, decision, question: { rpc: "Alert", parameter: null, level: "BACKGROUND", ...question } },
    others,
  );
}

export const alertAt = (...levels: readonly ("FULL" | "LIMITED" | "BACKGROUND")[]) => [
  anRpc({ name: "Alert", levels }),
];
export const asksForAlert = { permissions: [{ key: "Alert", hmiLevel: "HMI_BACKGROUND" }] } as const;
export const vehicleData = (parameters: readonly string[], level: "FULL" | "BACKGROUND" = "BACKGROUND") => [
  anRpc({ name: "GetVehicleData", levels: [level], parameters }),
];
export const gps = { rpc: "GetVehicleData", parameter: "gps" };
