import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { decide, type FindFacts } from "@/lib/simulator/decision";
import { answerQuestion } from "@/lib/simulator/question";
import type { OtherVersion, Question } from "@/lib/simulator/subject";
import { prepareView } from "@/lib/simulator/view";
import { environments, hmiLevels, type Environment } from "@/lib/words/vocabulary";
import { answerText, compiled } from "@/test/support/answers";
import {
  aBaseGroup,
  aCatalogue,
  aGroup,
  aMessage,
  anApp,
  anAppVersion,
  anRpc,
  anRpcSpec,
  anRpcSpecParam,
  aPermission,
  aSnapshot,
  aVehicleDataRecord,
  inBothViews,
} from "@/test/support/builders";
import { runs } from "@/test/support/extent";
import { randomRequest, randomSnapshot } from "@/test/support/random-snapshot";

const own = (object: any, name: string): any => (Object.hasOwn(object, name) ? object[name] : undefined);

const questions = fc.record({
  rpc: fc.constantFrom("Show", "Alert", "GetVehicleData", "OnVehicleData", "__proto__", "constructor", "Unheard"),
  parameter: fc.option(fc.constantFrom("gps", "speed", "cabinScent", "toString"), { nil: null }),
  level: fc.constantFrom(...hmiLevels),
});

/** Questions about what some groups hold, so that the answer is not always no. */
const heldIn = (groupings: Record<string, any>) =>
  Object.values(groupings)
    .flatMap(({ rpcs }) => Object.entries<any>(rpcs ?? {}))
    .slice(0, 8)
    .map(([rpc, { hmi_levels, parameters }]) => ({
      rpc,
      parameter: parameters?.[0] ?? null,
      level: hmi_levels.at(-1),
    }));

describe.each(environments)("L16: an answer in %s", (environment) => {
  it("L16: is yes exactly when the table that the vehicle gets allows it", async () => {
    let yes = 0;
    await fc.assert(
      fc.asyncProperty(
        randomSnapshot,
        randomRequest,
        fc.array(questions, { minLength: 5, maxLength: 5 }),
        async (snapshot, request, asked) => {
          const { app_policies, functional_groupings } = JSON.parse(
            answerText(await compiled(snapshot, environment), request.table),
          ).data[0].policy_table;
          const view = prepareView(snapshot, environment);
          for (const [id] of request.ids.filter(([name]) => !["default", "device", "pre_DataConsent"].includes(name))) {
            const decision = decide(view, id, request.fullAppIdSupported, () => null);
            const entry = own(app_policies, id);
            const names: string[] = entry === null ? [] : (entry === "default" ? app_policies.default : entry).groups;
            for (const question of [...asked, ...heldIn(functional_groupings)]) {
              const isAllowed = names.some((name) => {
                const rpc = own(own(functional_groupings, name).rpcs ?? {}, question.rpc);
                if (rpc === undefined || !rpc.hmi_levels.includes(question.level)) return false;
                return question.parameter === null || rpc.parameters?.includes(question.parameter) !== false;
              });
              const answer = answerQuestion({ view, decision, question }, []);
              expect(answer.is_allowed).toBe(isAllowed);
              expect(answer.sentence).toMatch(isAllowed ? /^Yes: / : /^No: /);
              expect(answer.would_change).toEqual(answer.remedies.map(({ sentence }) => sentence));
              if (isAllowed) yes += 1;
            }
          }
        },
      ),
      { numRuns: runs(150) },
    );
    expect(yes).toBeGreaterThan(10);
  });
});

const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const findFacts: FindFacts = () => ({
  name: "Roadtune",
  versions: [{ id: 1, label: "v4", approvalStatus: "ACCEPTED" }],
});
const permissions = [
  aPermission({ name: "Alert" }),
  aPermission({ name: "GetVehicleData" }),
  aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] }),
];

interface Case {
  readonly groups?: readonly Partial<SnapshotGroup>[];
  readonly version?: Partial<SnapshotAppVersion>;
  readonly app?: Partial<SnapshotApp>;
  readonly others?: readonly OtherVersion[];
  readonly question?: Partial<Question>;
  readonly snapshot?: Partial<PolicySnapshot>;
  readonly environment?: Environment;
}

function ask({
  groups = [],
  version = {},
  app = {},
  others = [],
  question = {},
  snapshot = {},
  environment = "production",
}: Case) {
  const stored = groups.map((group, index) => aGroup({ id: index + 2, name: `G${index}`, ...group }));
  const view = prepareView(
    aSnapshot({
      groups: inBothViews(aBaseGroup(), ...stored),
      permissions,
      rpcSpec: anRpcSpec({
        functions: [{ name: "GetVehicleData", messageType: "response", params: [anRpcSpecParam({ name: "gps" })] }],
      }),
      apps: aCatalogue([anApp({ versions: [anAppVersion(version)], ...app })]),
      ...snapshot,
    }),
    environment,
  );
  const decision = decide(view, uuid, true, findFacts);
  return answerQuestion(
    { view, decision, question: { rpc: "Alert", parameter: null, level: "BACKGROUND", ...question } },
    others,
  );
}

const alertAt = (...levels: readonly ("FULL" | "LIMITED" | "BACKGROUND")[]) => [anRpc({ name: "Alert", levels })];
const asksForAlert = { permissions: [{ key: "Alert", hmiLevel: "HMI_BACKGROUND" }] } as const;
const vehicleData = (parameters: readonly string[], level: "FULL" | "BACKGROUND" = "BACKGROUND") => [
  anRpc({ name: "GetVehicleData", levels: [level], parameters }),
];
const gps = { rpc: "GetVehicleData", parameter: "gps" };

describe("L16: the chain", () => {
  it("L16: leads from the app over its entry and group to RPC, level and prompt", () => {
    const groups = [{ name: "Notifications", userConsentPrompt: "Notifications", rpcs: alertAt("BACKGROUND", "FULL") }];
    const snapshot = { messages: inBothViews(aMessage({ category: "Notifications" })) };
    const answer = ask({ groups, version: asksForAlert, snapshot });
    expect(answer.sentence).toBe(
      "Yes: in production Roadtune may call Alert at BACKGROUND after the driver has agreed to Notifications.",
    );
    expect(answer.chain).toEqual([
      "Production serves v4 of Roadtune, the newest accepted version.",
      "Its entry has the functional groups Base and Notifications.",
      "Notifications is granted because Alert is requested at BACKGROUND (A14).",
      "Notifications allows Alert at BACKGROUND and FULL.",
      "Notifications counts after the driver has agreed to Notifications.",
    ]);
    expect(answer.would_change).toEqual([
      "Remove the HMI level BACKGROUND from Alert in Notifications",
      "Block the app",
    ]);
  });

  it("L16: says no word of consent when one group asks nothing", () => {
    const groups = [
      { userConsentPrompt: "Notifications", rpcs: alertAt("BACKGROUND") },
      { rpcs: alertAt("BACKGROUND") },
    ];
    const snapshot = { messages: inBothViews(aMessage({ category: "Notifications" })) };
    expect(ask({ groups, version: asksForAlert, snapshot }).sentence).toBe(
      "Yes: in production Roadtune may call Alert at BACKGROUND.",
    );
  });

  it("L16: ends where the answer is no", () => {
    const answer = ask({ groups: [{ rpcs: alertAt("FULL", "LIMITED"), isDefault: true }] });
    expect(answer.chain.at(-1)).toBe("G0 allows Alert at FULL and LIMITED, not at BACKGROUND.");
    const withParameter = ask({ groups: [{ rpcs: vehicleData([]), isDefault: true }], question: gps });
    expect(withParameter.chain).toContain("G0 allows GetVehicleData at BACKGROUND, but not with gps.");
    expect(ask({}).chain).toContain("None of them holds Alert.");
  });
});

describe("L16: what would change a no", () => {
  const item = (family: string, key: string) => ({ family, key });

  it.each<[string, Case, string, unknown]>([
    [
      "a level of a group of the app",
      {
        groups: [{ name: "Notifications", rpcs: [anRpc({ name: "Alert", levels: ["FULL"] }), anRpc()] }],
        version: { permissions: [{ key: "Show", hmiLevel: "HMI_FULL" }] },
      },
      "Add the HMI level BACKGROUND to Alert in Notifications",
      item("group", "Notifications"),
    ],
    [
      "a parameter",
      { groups: [{ rpcs: vehicleData([]), isDefault: true }], question: gps },
      "Add the parameter gps to GetVehicleData in G0, which every app has",
      item("group", "G0"),
    ],
    [
      "both",
      { groups: [{ rpcs: vehicleData([], "FULL"), isDefault: true }], question: gps },
      "Add the HMI level BACKGROUND and the parameter gps to GetVehicleData in G0, which every app has",
      item("group", "G0"),
    ],
    [
      "an RPC that no group has",
      {},
      "Add Alert at BACKGROUND to a functional group that the app has, such as Base, which every app has",
      item("group", "Base"),
    ],
    [
      "a proprietary grant",
      { groups: [{ name: "OemDiag", isProprietaryGroup: true, rpcs: alertAt("BACKGROUND") }] },
      "Grant the proprietary group OemDiag to v4",
      item("app", uuid),
    ],
    [
      "an administrator",
      { groups: [{ isAdministratorGroup: true, rpcs: alertAt("BACKGROUND") }] },
      "Make the app an administrator app, which brings G0",
      item("app", uuid),
    ],
    [
      "widgets",
      { groups: [{ isWidgetGroup: true, rpcs: alertAt("BACKGROUND") }] },
      "Have a version that manages widgets, which brings G0",
      null,
    ],
    [
      "a service",
      { groups: [{ isAppProviderGroup: true, rpcs: alertAt("BACKGROUND") }] },
      "Have a version that provides an app service, which brings G0",
      null,
    ],
    [
      "a request",
      { groups: [{ rpcs: alertAt("BACKGROUND") }] },
      "Have a version that asks for Alert at BACKGROUND, which brings G0",
      null,
    ],
    [
      "a block",
      { groups: [{ rpcs: alertAt("BACKGROUND") }], version: asksForAlert, app: { isBlacklisted: true } },
      "Unblock the app",
      item("app", uuid),
    ],
    [
      "a message",
      { groups: [{ rpcs: alertAt("BACKGROUND"), userConsentPrompt: "Notifications" }], version: asksForAlert },
      "Write the message Notifications, with which G0 asks",
      item("message", "Notifications"),
    ],
    [
      "a message in staging",
      {
        groups: [{ rpcs: alertAt("BACKGROUND"), userConsentPrompt: "Notifications" }],
        version: asksForAlert,
        snapshot: {
          messages: { staging: [aMessage({ category: "Notifications", status: "STAGING" })], production: [] },
        },
      },
      "Publish the message Notifications, with which G0 asks",
      item("message", "Notifications"),
    ],
    [
      "a group in staging",
      {
        version: asksForAlert,
        snapshot: {
          groups: {
            production: [aBaseGroup()],
            staging: [aBaseGroup(), aGroup({ id: 9, name: "New", status: "STAGING", rpcs: alertAt("BACKGROUND") })],
          },
        },
      },
      "Publish the group New",
      item("group", "New"),
    ],
    [
      "vehicle data in staging",
      {
        question: { ...gps, parameter: "cabinScent" },
        groups: [{ rpcs: vehicleData(["cabinScent"]), isDefault: true }],
        snapshot: { vehicleData: { staging: [aVehicleDataRecord({ status: "STAGING" })], production: [] } },
      },
      "Publish the vehicle data item cabinScent",
      item("vehicle_data", "cabinScent"),
    ],
    [
      "vehicle data that nobody has",
      {
        question: { ...gps, parameter: "cabinScent" },
        groups: [{ rpcs: vehicleData(["cabinScent"]), isDefault: true }],
      },
      "Add cabinScent to the custom vehicle data, and publish it",
      null,
    ],
    [
      "a newer version",
      {
        groups: [{ rpcs: alertAt("BACKGROUND") }],
        others: [{ label: "v6", version: anAppVersion({ id: 6, approvalStatus: "PENDING", ...asksForAlert }) }],
      },
      "Accept v6",
      item("app", uuid),
    ],
    [
      "a newer version in staging",
      {
        environment: "staging",
        groups: [{ rpcs: alertAt("BACKGROUND") }],
        others: [{ label: "v6", version: anAppVersion({ id: 6, approvalStatus: "PENDING", ...asksForAlert }) }],
      },
      "Put v6 in staging",
      item("app", uuid),
    ],
  ])("L16: %s", (_, asked, sentence, about) => {
    const answer = ask(asked);
    expect(answer.is_allowed).toBe(false);
    expect(answer.remedies[0]).toEqual({ sentence, item: about });
  });

  it("L16: an older version changes nothing, nor one that does not ask for it", () => {
    const groups = [{ rpcs: alertAt("BACKGROUND") }];
    const older = { label: "v1", version: anAppVersion({ id: 1, ...asksForAlert }) };
    const silent = { label: "v6", version: anAppVersion({ id: 6 }) };
    const answer = ask({ groups, version: { id: 5 }, others: [silent, older] });
    expect(answer.would_change.filter((sentence) => sentence.startsWith("Accept"))).toEqual([]);
  });

  it("L16: a blocked app needs the other step as well", () => {
    const answer = ask({
      groups: [{ isProprietaryGroup: true, rpcs: alertAt("BACKGROUND") }],
      app: { isBlacklisted: true },
    });
    expect(answer.would_change).toContain("Unblock the app, and grant the proprietary group G0 to v4");
    expect(answer.would_change).not.toContain("Unblock the app");
  });

  it("L16: a published item that is no newer than production's is not offered", () => {
    const both = [aBaseGroup(), aGroup({ id: 9, name: "New", rpcs: alertAt("BACKGROUND") })];
    expect(ask({ snapshot: { groups: inBothViews(...both) } }).would_change).not.toContain("Publish the group New");
  });
});

it("L16: what was granted by hand can be taken back", () => {
  const groups = [{ name: "OemDiag", isProprietaryGroup: true, rpcs: alertAt("BACKGROUND") }];
  const answer = ask({ groups, version: { groupGrants: ["OemDiag"] } });
  expect(answer.is_allowed).toBe(true);
  expect(answer.would_change[0]).toBe("Take back the grant of OemDiag");
});
