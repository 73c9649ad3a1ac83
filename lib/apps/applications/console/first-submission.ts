import { type Change, type ChangeGroup, findChanges } from "@/lib/apps/applications/console/version-changes";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { type RiskKind, riskKinds, riskOfParameter, riskOfRpc, riskTitles } from "@/lib/labels/risk";
import { byLowerCase } from "@/lib/labels/order";

/**
 * What an app asks for that has no accepted version to be compared with: its permissions by what they touch, the riskiest
 * first, then services, behaviour and connections.
 */
export function listRequests(app: ApplicationJson): ChangeGroup[] {
  const byRisk = riskKinds.map((kind) => ({
    title: riskTitles[kind],
    changes: app.permissions
      .filter((permission) => riskOf(permission) === kind)
      .toSorted((a, b) => byLowerCase(a.key, b.key))
      .map(({ key, hmi_level: level }): Change => {
        return { kind: "added", name: level === null ? key : `${key} at ${level.replace("HMI_", "")}` };
      }),
  }));
  const others = findChanges(withoutRequests(app), app).filter(({ title }) => title !== "Permissions");
  return [...byRisk, ...others].filter(({ changes }) => changes.length > 0);
}

function riskOf({ key, type }: ApplicationJson["permissions"][number]): RiskKind {
  if (type === "MODULE") return "control";
  return type === "PARAMETER" ? riskOfParameter(key) : riskOfRpc(key);
}

/** The same app, asking for nothing. */
function withoutRequests(app: ApplicationJson): ApplicationJson {
  return {
    ...app,
    permissions: [],
    services: [],
    can_background_alert: false,
    can_steal_focus: false,
    can_manage_widgets: false,
    default_hmi_level: "HMI_NONE",
    cloud_endpoint: null,
    cloud_transport_type: null,
    ca_certificate: null,
    package_url: null,
  };
}
