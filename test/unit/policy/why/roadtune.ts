import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  anApp,
  anAppVersion,
  anRpcSpec,
  anRpcSpecParam,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";

interface Stored {
  readonly base?: SnapshotGroup;
  readonly groups: readonly Partial<SnapshotGroup>[];
  readonly version: Partial<SnapshotAppVersion>;
  readonly app: Partial<SnapshotApp>;
}

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
