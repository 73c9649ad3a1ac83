import { formatNumber } from "@/lib/vocabulary/format-number";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { type RiskKind, riskKinds, riskOfParameter, riskOfRpc, riskTitles } from "@/lib/vocabulary/risk";
import type { Change, ChangeGroup } from "@/lib/apps/applications/console/effect-schema";
import { byLowerCase } from "@/lib/vocabulary/order";

/** Riskiest first: permissions, behavior, connections, appearance, and last what only people read. */
export function findVersionChanges(earlier: ApplicationJson, later: ApplicationJson): ChangeGroup[] {
  const scalars = (members: readonly Member[]) => members.flatMap((member) => compareMember(earlier, later, member));
  const lists = (name: string, read: (app: ApplicationJson) => readonly string[]) =>
    compareLists(read(earlier), read(later)).map(({ kind, name: value }) => ({ kind, name: `${name}: ${value}` }));
  return [
    { title: "Permissions", changes: comparePermissions(earlier, later) },
    { title: "App services", changes: compareServices(earlier, later) },
    { title: "Behaviour on the head unit", changes: scalars(behaviour) },
    { title: "Connection and package", changes: scalars(connection) },
    {
      title: "Names and markets",
      changes: [
        ...scalars(names),
        ...lists("Display name", ({ display_names }) => display_names),
        ...lists("Category", ({ categories }) => categories.map(({ display_name }) => display_name)),
        ...lists("Country", ({ countries }) => countries.map(({ iso, name }) => name || iso)),
      ],
    },
    { title: "Requirements and contacts", changes: scalars(contacts) },
  ].filter(({ changes }) => changes.length > 0);
}

export function summarizeChanges(groups: readonly ChangeGroup[]): string {
  const parts = groups.flatMap(({ title, changes }) => {
    if (title !== "Permissions") return [title.toLowerCase()];
    const count = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).length;
    const [added, changed, removed] = [count("added"), count("changed"), count("removed")];
    return [
      ...(added > 0 ? [`+${added} ${added === 1 ? "permission" : "permissions"}`] : []),
      ...(removed > 0 ? [`−${removed} ${removed === 1 ? "permission" : "permissions"}`] : []),
      ...(changed > 0 ? [`${changed} ${changed === 1 ? "level" : "levels"} changed`] : []),
    ];
  });
  return parts.join(", ");
}

function comparePermissions(earlier: ApplicationJson, later: ApplicationJson): Change[] {
  const levelsOf = ({ permissions }: ApplicationJson) =>
    new Map(permissions.map(({ key, hmi_level }) => [key, hmi_level?.replace("HMI_", "") ?? "no level"]));
  const before = levelsOf(earlier);
  const after = levelsOf(later);
  const changes = compareLists([...before.keys()], [...after.keys()]).map(({ kind, name }): Change => {
    const level = (kind === "added" ? after : before).get(name);
    return { kind, name: `${name} at ${level ?? ""}` };
  });
  const moved = [...after].flatMap(([name, to]): Change[] => {
    const from = before.get(name);
    return from === undefined || from === to ? [] : [{ kind: "changed", name, from, to }];
  });
  const ofKind = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind);
  return [...ofKind("added"), ...moved, ...ofKind("removed")];
}

function compareServices(earlier: ApplicationJson, later: ApplicationJson): Change[] {
  const before = new Map(earlier.services.map((service) => [service.name, service]));
  const after = new Map(later.services.map((service) => [service.name, service]));
  const types = compareLists([...before.keys()], [...after.keys()]);
  const published = [...after].flatMap(([type, { service_names }]) => {
    const known = before.get(type);
    if (known === undefined) return [];
    return compareLists(known.service_names, service_names).map(({ kind, name }) => ({
      kind,
      name: `${type}: ${name}`,
    }));
  });
  return [...types, ...published];
}

function compareLists(before: readonly string[], after: readonly string[]): Change[] {
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => ({ kind: "added" as const, name })),
    ...before.filter((name) => !after.includes(name)).map((name) => ({ kind: "removed" as const, name })),
  ];
}

type Member = readonly [name: string, read: (app: ApplicationJson) => string | null];

const yesNo = (value: boolean) => (value ? "yes" : "no");
const bytes = (size: number | null) => (size === null ? null : `${formatNumber(size)} bytes`);

const behaviour: readonly Member[] = [
  ["Background alerts", (app) => yesNo(app.can_background_alert)],
  ["Can steal focus", (app) => yesNo(app.can_steal_focus)],
  ["Manages widgets", (app) => yesNo(app.can_manage_widgets)],
  ["Default HMI level", (app) => app.default_hmi_level.replace("HMI_", "")],
];
const connection: readonly Member[] = [
  ["Platform", (app) => app.platform],
  ["Platform id", (app) => app.platform_app_id],
  ["Endpoint", (app) => app.cloud_endpoint],
  ["Endpoint transport", (app) => app.cloud_transport_type],
  // Nobody can read the text of a certificate.
  ["CA certificate of the endpoint", (app) => (app.ca_certificate === null ? null : fingerprint(app.ca_certificate))],
  ["Transport", (app) => app.transport_type],
  ["Package", (app) => app.package_url],
  ["Package size", (app) => bytes(app.size_compressed_bytes)],
  ["Package size, unpacked", (app) => bytes(app.size_decompressed_bytes)],
  ["Entry point", (app) => app.entrypoint_path],
  ["Icon path", (app) => app.icon_path],
];
const names: readonly Member[] = [
  ["Name", (app) => app.name],
  ["Icon", (app) => app.icon_url],
  ["Description", (app) => app.description],
];
const contacts: readonly Member[] = [
  ["Minimum RPC version", (app) => app.min_rpc_version],
  ["Minimum protocol version", (app) => app.min_protocol_version],
  ["Lifecycle in the directory", (app) => app.status],
  ["Vendor", (app) => app.vendor_name],
  ["Vendor e-mail", (app) => app.vendor_email],
  ["Technical e-mail", (app) => app.tech_email],
  ["Technical phone", (app) => app.tech_phone],
];

function compareMember(earlier: ApplicationJson, later: ApplicationJson, [name, read]: Member): Change[] {
  const from = filled(read(earlier));
  const to = filled(read(later));
  return from === to ? [] : [{ kind: "changed", name, from, to }];
}

const filled = (text: string | null) => (text === "" ? null : text);

/** Distinguishes certificates at a glance by the end of their content. */
function fingerprint(pem: string): string {
  const content = pem.replace(/-----[A-Z ]+-----|\s/g, "");
  return `certificate …${content.slice(-12)}`;
}

/** Shown if no accepted version exists to compare with; riskiest first. */
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
  const others = findVersionChanges(withoutRequests(app), app).filter(({ title }) => title !== "Permissions");
  return [...byRisk, ...others].filter(({ changes }) => changes.length > 0);
}

function riskOf({ key, type }: ApplicationJson["permissions"][number]): RiskKind {
  if (type === "MODULE") return "control";
  return type === "PARAMETER" ? riskOfParameter(key) : riskOfRpc(key);
}

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
