import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/policy/head-unit/values";
import {
  type RpcCall,
  carSettings,
  type CarSettings,
  conditionsOn,
  readCarSettings,
  restrictionOf,
} from "@/lib/policy/permits/conditions";
import type { Permits, RpcPermit } from "@/lib/policy/permits/permits";
import { hmiLevels } from "@/lib/vocabulary/terms";
import { answerText, compiled, shortenedTable } from "@/test/support/answers";
import { aGroup, aMessage, aMessageLanguage, aModuleConfig, aSnapshot, inBothViews } from "@/test/support/builders";

const limits = { EMERGENCY: 60, NORMAL: 4, NONE: 0 };
const settings: CarSettings = {
  limits: { Alert: limits, SubtleAlert: { NORMAL: 1 } },
  encrypted: new Set(["Vehicle"]),
  unwarned: [],
};
const remote = { priority: "NONE", AppHMIType: ["REMOTE_CONTROL"], moduleType: ["CLIMATE"] };
const rpcCall = (rpc: string, level: RpcCall["level"] = "FULL", more: Partial<RpcCall> = {}): RpcCall => ({
  rpc,
  level,
  ...more,
});

interface Row {
  readonly name: string;
  readonly call: RpcCall;
  readonly entry: JsonObject;
  readonly rejected: string;
  readonly cure: RegExp;
  readonly cured: JsonObject | CarSettings;
}
const isSettings = (value: JsonObject | CarSettings): value is CarSettings => "limits" in value;

describe("C16 to C22: what a car rejects although the groups permit it, until it is cured", () => {
  const unwarned = { ...settings, unwarned: null };
  const typed = (...AppHMIType: string[]) => ({ ...remote, AppHMIType });
  const rows: readonly Row[] = [
    ...["Alert", "SubtleAlert"].flatMap((rpc): Row[] => [
      {
        ...{ name: `${rpc} with the limit 0`, call: rpcCall(rpc, "BACKGROUND"), entry: { priority: "NONE" } },
        ...{
          rejected: "C16",
          cure: /priority whose limit .* or raise the limit of NONE/,
          cured: { priority: "NORMAL" },
        },
      },
      {
        ...{ name: `${rpc} without a limit`, call: rpcCall(rpc, "BACKGROUND"), entry: { priority: "NAVIGATION" } },
        ...{ rejected: "C16", cure: /raise the limit of NAVIGATION/ },
        cured: { ...settings, limits: { Alert: { NAVIGATION: 1 }, SubtleAlert: { NAVIGATION: 1 } } },
      },
    ]),
    ...[
      ...["ButtonPress", "GetInteriorVehicleData", "GetInteriorVehicleDataConsent", "OnInteriorVehicleData"],
      ...["OnRCStatus", "ReleaseInteriorVehicleDataModule", "SetInteriorVehicleData"],
    ].map((rpc): Row => ({
      ...{ name: `${rpc} without the type`, call: rpcCall(rpc), entry: typed("SYSTEM"), rejected: "C17" },
      ...{ cure: /type REMOTE_CONTROL in the app directory/, cured: typed("SYSTEM", "REMOTE_CONTROL") },
    })),
    {
      ...{ name: "an RPC for modules without any type", call: rpcCall("ButtonPress"), entry: typed(), rejected: "C17" },
      ...{ cure: /REMOTE_CONTROL/, cured: { moduleType: ["CLIMATE"] } },
    },
    {
      ...{ name: "an RPC for modules without moduleType", call: rpcCall("ButtonPress"), rejected: "C18" },
      ...{ entry: { AppHMIType: ["REMOTE_CONTROL"] }, cure: /request a module/, cured: { ...remote, moduleType: [] } },
    },
    {
      ...{
        name: "another module",
        call: rpcCall("SetInteriorVehicleData", "FULL", { module: "SEAT" }),
        rejected: "C18",
      },
      ...{ entry: remote, cure: /request SEAT/, cured: { ...remote, moduleType: ["CLIMATE", "SEAT"] } },
    },
    {
      ...{ name: "the permission to dismiss the lock screen, without a warning", rejected: "C20" },
      call: rpcCall("OnDriverDistraction", "FULL", { parameter: "lockScreenDismissalEnabled" }),
      ...{ entry: {}, cure: /text body of the message LockScreenDismissalWarning/, cured: settings },
    },
    {
      ...{ name: "touch events without a type for video", call: rpcCall("OnTouchEvent"), entry: typed("SOCIAL") },
      ...{ rejected: "C21", cure: /NAVIGATION or PROJECTION/, cured: typed("SOCIAL", "PROJECTION") },
    },
    {
      ...{ name: "an app service without one in the entry", call: rpcCall("PublishAppService"), rejected: "C22" },
      ...{ entry: { app_services: {} }, cure: /add the service/, cured: { app_services: { MEDIA: {} } } },
    },
  ];
  it.each(rows)("$rejected: rejects $name", ({ call, entry, rejected, cure, cured }) => {
    const broken = rejected === "C20" ? unwarned : settings;
    const rejecting = (on: JsonObject, by: CarSettings) => conditionsOn(call, on, by).filter((one) => one.isRejected);
    expect(rejecting(entry, broken)).toMatchObject([{ rule: rejected, cure: expect.stringMatching(cure) }]);
    expect(isSettings(cured) ? rejecting(entry, cured) : rejecting(cured, settings)).toEqual([]);
  });

  it.each(hmiLevels)("C16: limits alerts at BACKGROUND only; at %s, all other rules are the same", (level) => {
    const rulesAt = (rpc: string, entry: JsonObject) =>
      conditionsOn({ rpc, level }, entry, settings).map(({ rule }) => rule);
    expect(rulesAt("Alert", { priority: "NONE" })).toEqual(level === "BACKGROUND" ? ["C16"] : []);
    expect(rulesAt("ButtonPress", typed("SYSTEM"))).toEqual(["C17"]);
    expect(rulesAt("Show", typed())).toEqual([]);
  });

  it("C17, C18, C21: apps on default are judged by the types that they register with, but use no module", () => {
    const rules = (rpc: string) => conditionsOn(rpcCall(rpc), { priority: "NONE" }, settings).map(({ rule }) => rule);
    expect([rules("ButtonPress"), rules("OnRCStatus"), rules("OnTouchEvent")]).toEqual([["C18"], [], []]);
  });

  it.each([
    { flag: true, says: /Only over an encrypted connection: Vehicle/ },
    { flag: undefined, says: /Only over an encrypted connection: Vehicle/ },
    { flag: false, says: /Unencrypted, too: .* own setting is off and overrides it/ },
  ])("C19: an app whose own encryption is $flag", ({ flag, says }) => {
    const entry = flag === undefined ? {} : { encryption_required: flag };
    const found = (rpc: string, groups = ["Vehicle"]) => conditionsOn(rpcCall(rpc), entry, settings, groups);
    expect(found("GetDTCs")).toMatchObject([{ rule: "C19", isRejected: false, message: expect.stringMatching(says) }]);
    expect([...found("PutFile"), ...found("GetDTCs", [])]).toEqual([]);
  });

  it("C20: names the languages without a text; the notification itself still comes", () => {
    const of = (one: CarSettings) => conditionsOn(rpcCall("OnDriverDistraction"), {}, one);
    expect(of({ ...settings, unwarned: ["de-de"] })).toMatchObject([
      { isRejected: false, message: expect.stringMatching(/in de-de/) },
    ]);
    expect(of(unwarned)).toMatchObject([{ isRejected: false, message: expect.stringMatching(/in en-us/) }]);
    expect(of(settings)).toEqual([]);
  });
});

it("a restriction takes only rejected calls from what groups permit (C16 to C22), and all from an app without an entry", () => {
  const all = Object.fromEntries(hmiLevels.map((level) => [level, "all"])) as RpcPermit;
  const permitted: Permits = new Map(["Alert", "ButtonPress", "Show"].map((rpc) => [rpc, all]));
  const entry = { priority: "NONE", AppHMIType: ["SYSTEM"], moduleType: ["CLIMATE"] };
  const both = { regular: permitted, external: permitted };
  const left = new Map([
    ["Alert", { ...all, BACKGROUND: "no" }],
    ["Show", all],
  ]);
  const restriction = restrictionOf(entry, settings);
  expect(restriction.restrict(both)).toEqual({ regular: left, external: left });
  expect(restriction.key).toBe(restrictionOf({ ...entry, moduleType: ["SEAT"], nicknames: ["A"] }, settings).key);
  const free = restrictionOf({ ...remote, priority: "NORMAL", app_services: { MEDIA: {} } }, settings);
  expect(free.restrict(both).regular).toEqual(permitted);
  expect(free.key).not.toBe(restriction.key);
  expect(restrictionOf(null, settings).restrict(both)).toEqual({ regular: new Map(), external: new Map() });
});

it("C16, C19, C20: reads a served table as it reads the snapshot that it is made from", async () => {
  const warning = (...languages: (readonly [string, string | null, (string | null)?])[]) =>
    aMessage({
      category: "LockScreenDismissalWarning",
      languages: languages.map(([languageId, textBody, label = "Lock"]) =>
        aMessageLanguage({ languageId, textBody, label }),
      ),
    });
  const cases = [
    { messages: [], unwarned: null },
    { messages: [warning(["en-us", null], ["de-de", "Wischen"])], unwarned: null },
    { messages: [warning(["en-us", "Swipe"], ["de-de", null])], unwarned: ["de-de"] },
    // Without any text the language is not in the table (C4).
    { messages: [warning(["en-us", "Swipe"], ["de-de", null, null])], unwarned: [] },
  ];
  for (const { messages, unwarned } of cases) {
    const snapshot = aSnapshot({
      groups: inBothViews(aGroup({ name: "Vehicle", encryptionRequired: true }), aGroup({ id: 2, name: "Base" })),
      messages: inBothViews(...messages),
      moduleConfigs: inBothViews(aModuleConfig({ lockScreenDismissalEnabled: true })),
    });
    const { policy_table } = JSON.parse(answerText(await compiled(snapshot, "production"), shortenedTable({}, true)))
      .data[0];
    expect(readCarSettings(policy_table)).toEqual(carSettings(snapshot, "production"));
    expect(carSettings(snapshot, "production")).toMatchObject({ unwarned, encrypted: new Set(["Vehicle"]) });
  }
});
