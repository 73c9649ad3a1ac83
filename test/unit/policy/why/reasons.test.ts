import { describe, expect, it } from "vitest";
import type { SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { decide, type AppFacts, type FindFacts } from "@/lib/policy/why/decision";
import { explainDecision } from "@/lib/policy/why/explain";
import { prepareView } from "@/lib/policy/why/view";
import { hmiLevels, type HmiTextLevel } from "@/lib/vocabulary/terms";
import { aBaseGroup, aCatalogue, anApp, anRpc, aPermission, aService, aSnapshot } from "@/test/support/builders";
import { roadtuneSnapshot } from "./roadtune";

const noFacts: FindFacts = () => null;
const asks = (...pairs: (readonly [key: string, level: HmiTextLevel | null])[]) => ({
  permissions: pairs.map(([key, hmiLevel]) => ({ key, hmiLevel })),
});
const permissions = [
  aPermission({ name: "Show" }),
  aPermission({ name: "Alert" }),
  aPermission({ name: "GetVehicleData" }),
  aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
  aPermission({ name: "cabinScent", type: "PARAMETER", parents: ["GetVehicleData"] }),
  aPermission({ name: "CLIMATE", type: "MODULE", parents: ["GetInteriorVehicleData"] }),
];

function reasonsOf(groups: readonly Partial<SnapshotGroup>[], version: Partial<SnapshotAppVersion>, app = {}) {
  const snapshot = roadtuneSnapshot({ base: aBaseGroup({ rpcs: [] }), groups, version, app }, { permissions });
  const view = prepareView(snapshot, "production");
  return explainDecision(view, decide(view, "11111111aa", false, noFacts));
}
const causesOf = (...args: Parameters<typeof reasonsOf>) =>
  reasonsOf(...args).groups.find(({ group }) => group === "G")?.causes;
const withheldOf = (...args: Parameters<typeof reasonsOf>) => reasonsOf(...args).withheld;

describe("L15: why a group is granted", () => {
  const rpcs = [anRpc({ name: "GetVehicleData", levels: ["FULL"], parameters: ["gps"] })];
  const plain = { permission: null, level: null };
  const requested = (rule: string, permission: string) =>
    ({ rule, because: "requested permission", permission, level: "FULL" }) as const;

  it.each<[Partial<SnapshotGroup>, Partial<SnapshotAppVersion>, object, object]>([
    [{ isDefault: true }, {}, {}, { rule: "A13", because: "default group", ...plain }],
    [{}, asks(["GetVehicleData", "HMI_FULL"]), {}, requested("A14", "GetVehicleData")],
    [{}, asks(["gps", "HMI_FULL"]), {}, requested("A15", "gps")],
    [
      { rpcs: [anRpc({ name: "GetInteriorVehicleData" })] },
      asks(["CLIMATE", "HMI_FULL"]),
      {},
      requested("A16", "CLIMATE"),
    ],
    [
      { isAppProviderGroup: true },
      { services: [aService()] },
      {},
      { rule: "A17", because: "app service provider", ...plain },
    ],
    [
      { isAdministratorGroup: true },
      {},
      { isAdministratorApp: true },
      { rule: "A18", because: "administrator", ...plain },
    ],
    [{ isProprietaryGroup: true }, { groupGrants: ["G"] }, {}, { rule: "A19", because: "proprietary grant", ...plain }],
    [
      { rpcs: [anRpc({ name: "Alert", levels: ["BACKGROUND"] })] },
      { canBackgroundAlert: true },
      {},
      { rule: "A20", because: "background alert", ...plain },
    ],
    [{ isWidgetGroup: true }, { canManageWidgets: true }, {}, { rule: "A21", because: "widget", ...plain }],
  ])("L15: %j for %j", (group, version, app, cause) => {
    expect(causesOf([{ name: "G", rpcs, ...group }], version, app)).toEqual([cause]);
  });

  it("L15: names all causes, in the order of the rules, and each once", () => {
    const version = asks(["gps", "HMI_FULL"], ["GetVehicleData", "HMI_FULL"], ["gps", "HMI_FULL"]);
    const causes = causesOf([{ name: "G", rpcs, isDefault: true }], version);
    expect(causes?.map(({ rule }) => rule)).toEqual(["A13", "A14", "A15"]);
  });
});

describe("L15: why something is not granted", () => {
  const gps = (levels: typeof hmiLevels | readonly ["FULL"], parameters = ["gps"]) => [
    anRpc({ name: "GetVehicleData", levels, parameters }),
  ];
  const requirement = asks(["gps", "HMI_FULL"]);
  const only = { permission: "gps", level: "FULL" };

  it("L15: no group holds it", () =>
    expect(withheldOf([], requirement)).toEqual([
      { ...only, kind: "no group", groups: [], reason: "No functional group in production allows it." },
    ]));

  it("L15: nobody knows it", () =>
    expect(withheldOf([], asks(["Unheard", "HMI_FULL"]))[0]).toMatchObject({ kind: "unknown", groups: [] }));

  it("L15: it names no level", () =>
    expect(withheldOf([{ name: "G", rpcs: gps(hmiLevels) }], asks(["gps", null]))[0]).toMatchObject({
      kind: "no level",
      level: null,
    }));

  it("L15: only at other levels", () => {
    const found = withheldOf([{ name: "G", rpcs: gps(["FULL"]) }], asks(["gps", "HMI_LIMITED"]));
    expect(found[0]).toMatchObject({ kind: "other levels", groups: ["G"], reason: "G allows it at FULL only." });
  });

  it("L15: the group is left out, because its message is missing (F3)", () => {
    const found = withheldOf([{ name: "G", rpcs: gps(["FULL"]), userConsentPrompt: "Location" }], requirement);
    const reason = "G would allow it, but the table leaves it out for want of the message Location.";
    expect(found[0]).toMatchObject({ kind: "prompt missing", groups: ["G"], reason });
  });

  it("L15: the group is proprietary and not granted", () =>
    expect(withheldOf([{ name: "G", rpcs: gps(["FULL"]), isProprietaryGroup: true }], requirement)[0]).toMatchObject({
      kind: "not granted",
      groups: ["G"],
      reason: "Only G (granted by hand) allows it.",
    }));

  it("L15: the group has the parameter, which does not count (F5)", () => {
    const found = withheldOf([{ name: "G", rpcs: gps(["FULL"], ["cabinScent"]) }], asks(["cabinScent", "HMI_FULL"]));
    expect(found[0]).toMatchObject({ kind: "unusable", groups: ["G"] });
  });
});

describe("L15: what an id gets", () => {
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
  const facts =
    (...versions: AppFacts["versions"]): FindFacts =>
    (asked) =>
      asked === uuid ? { name: "Roadtune", versions } : null;
  const decided = (app: Parameters<typeof anApp>[0], id: string, isLong: boolean, find: FindFacts) => {
    const view = prepareView(aSnapshot({ apps: aCatalogue([anApp(app)]) }), "production");
    const { rule, sentence } = decide(view, id, isLong, find);
    return `${rule}: ${sentence}`;
  };

  it("L15: A4 with the version, and what has become of the newest one", () => {
    const versions = facts(
      { id: 2, label: "v6", approvalStatus: "PENDING" },
      { id: 1, label: "v4", approvalStatus: "ACCEPTED" },
    );
    expect(decided({}, uuid, true, versions)).toBe(
      "A4: Production serves v4 of Roadtune, the newest accepted version. v6 is pending.",
    );
  });

  it("L15: A5 without a version that is accepted, and for unknown ids", () => {
    const versions = facts({ id: 1, label: "v4", approvalStatus: "LIMITED" });
    expect(decided({ versions: [] }, uuid, true, versions)).toBe(
      "A5: No version of Roadtune is accepted, so it gets the default policy. v4 is limited.",
    );
    expect(decided({}, "unknown", true, versions)).toBe(
      "A5: No stored app has this id, so it gets the default policy.",
    );
  });

  it("L15: A3 for blocked apps", () =>
    expect(decided({ isBlacklisted: true }, uuid, true, noFacts)).toMatch(/^A3: .* is blocked/));

  it("L15: A2 for a uuid where the vehicle asks with short ids; a short id names its app in either mode", () => {
    expect(decided({}, uuid, false, facts())).toBe(
      "A2: It is the uuid of Roadtune, but the vehicle asks with short ids, so it gets the default policy.",
    );
    expect(decided({}, "11111111AA", true, facts())).toMatch(/^A4: /);
    expect(decided({ isBlacklisted: true }, "11111111AA", true, noFacts)).toMatch(/^A3: .* is blocked/);
  });
});
