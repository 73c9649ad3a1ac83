import { describe, expect, it } from "vitest";
import {
  compareEntitlements,
  type Entitlement,
  entitlementKey,
  isSame,
  isWider,
} from "@/lib/policy/effect/entitlement";
import type { CarSettings } from "@/lib/policy/permits/conditions";
import { entryMembers } from "@/lib/policy/head-unit/meanings";
import { permits, type PermitGroup } from "@/lib/policy/permits/permits";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import type { HmiLevel } from "@/lib/vocabulary/terms";

/* What tells more from less (`gate.md` W9). */

type Group = Entitlement["groups"][number];
function aGroup(
  name: string,
  { isEncrypted = false, prompt = null }: Partial<Group> = {},
  parameters?: string[],
): Group {
  const levels: HmiLevel[] = ["FULL"];
  return { name, prompt, isEncrypted, rpcs: [{ name: "GetVehicleData", levels, parameters: parameters ?? null }] };
}

const limits = { NAVIGATION: 0, NORMAL: 4, NONE: 0 };
const settings: CarSettings = { limits: { Alert: limits, SubtleAlert: limits }, encrypted: new Set(), unwarned: [] };
const keyOf = (...entries: Entitlement["entry"][]) => entitlementKey(entries.map((entry) => [entry, settings]));
const plain = { keep_context: false, steal_focus: false, priority: "NONE", default_hmi: "NONE", groups: ["A"] };
function having(entry: object | null, groups: readonly Group[] = [aGroup("A")], isDefault = false): Entitlement {
  const ask = (build: CarBuild) => permits(groups satisfies readonly PermitGroup[], build, "all");
  const permitted = entry === null ? { regular: new Map(), external: new Map() } : undefined;
  return {
    permits: permitted ?? { regular: ask("regular"), external: ask("external") },
    groups: entry === null ? [] : groups,
    entry: entry === null ? null : { ...plain, ...entry },
    isDefault,
    settings,
  };
}
const compare = (one: Entitlement, other: Entitlement, builds: readonly CarBuild[] = ["regular", "external"]) =>
  compareEntitlements(one, other, builds);
const service = (names: readonly string[] | null, rpcs: readonly number[]) => ({
  app_services: {
    MEDIA: { ...(names && { service_names: names }), handled_rpcs: rpcs.map((id) => ({ function_id: id })) },
  },
});

describe("W9", () => {
  it.each<[string, Entitlement, Entitlement]>([
    ["an entry at all", having(null), having({})],
    ["a higher priority", having({ priority: "NORMAL" }), having({ priority: "EMERGENCY" })],
    ["a higher HMI level", having({ default_hmi: "NONE" }), having({ default_hmi: "BACKGROUND" })],
    ["a module type", having({ moduleType: ["RADIO"] }), having({ moduleType: ["CLIMATE", "RADIO"] })],
    ["a request type", having({ RequestType: ["HTTP"] }), having({ RequestType: ["HTTP", "PROPRIETARY"] })],
    ["a request subtype", having({ RequestSubType: ["a"] }), having({ RequestSubType: ["a", "b"] })],
    ["a service", having({}), having(service(["Tunes"], [41]))],
    ["an RPC of a service", having(service(["Tunes"], [41])), having(service(["Tunes"], [41, 42]))],
    ["RPCs in the clear", having({}, [aGroup("A", { isEncrypted: true })]), having({})],
    [
      "RPCs in the clear, because the entry says so",
      having({ encryption_required: true }, [aGroup("A", { isEncrypted: true })]),
      having({ encryption_required: false }, [aGroup("A", { isEncrypted: true })]),
    ],
    ["RPCs without asking the driver", having({}, [aGroup("A", { prompt: "Location" })]), having({})],
    ["a parameter", having({}, [aGroup("A", {}, ["gps"])]), having({}, [aGroup("A", {}, ["gps", "speed"])])],
  ])("%s is more, and the other way round less only", (_, less, more) => {
    expect(isWider(compare(less, more))).toBe(true);
    expect(isWider(compare(more, less))).toBe(false);
    expect(isSame(compare(more, less))).toBe(false);
    expect(isSame(compare(more, more))).toBe(true);
  });

  it("the RPC that stands for none is none", () =>
    expect(isSame(compare(having(service(["Tunes"], [0])), having(service(["Tunes"], []))))).toBe(true));

  it("some instead of others is both, and so wider", () =>
    expect(isWider(compare(having({ moduleType: ["RADIO"] }), having({ moduleType: ["CLIMATE"] })))).toBe(true));

  it("C16: a lower priority is more where its limit lets alerts into the background", () => {
    const alerts = { ...aGroup("A"), rpcs: [{ name: "Alert", levels: ["BACKGROUND" as const], parameters: null }] };
    const [blocked, heard] = [having({ priority: "NAVIGATION" }, [alerts]), having({ priority: "NORMAL" }, [alerts])];
    expect(compare(blocked, heard).more).toEqual(["Alert at BACKGROUND, which cars rejected"]);
    expect(directionOf(blocked, heard)).toBe("<>");
    expect(directionOf(having({ priority: "NAVIGATION" }), having({ priority: "NORMAL" }))).toBe(">");
  });

  it("only the chosen builds count: who is asked matters in external cars alone", () => {
    const [asked, unasked] = [having({}, [aGroup("A", { prompt: "Location" })]), having({})];
    expect(isWider(compare(asked, unasked, ["external"]))).toBe(true);
    expect(isWider(compare(asked, unasked, ["regular"]))).toBe(false);
  });
});

/** Entries that differ in one member: absent, empty, null and one value of it; null is written as in JSON. */
const entries = (name: keyof typeof entryMembers, empty: unknown, value: unknown) => ({
  absent: having({ [name]: undefined }),
  ...{ empty: having({ [name]: empty }), null: having({ [name]: null }), value: having({ [name]: value }) },
});
const names = (value: unknown) => having({ app_services: { MEDIA: { service_names: value, handled_rpcs: [] } } });
const ofService = { absent: names(undefined), empty: names([]), null: names(null), value: names(["Tunes"]) };
type State = keyof typeof ofService;
const pairs: readonly (readonly [State, State])[] = [
  ...([["absent", "value"], ["empty", "value"], ["null", "value"]] as const), // oxfmt-ignore
  ...([["absent", "empty"], ["absent", "null"]] as const), // oxfmt-ignore
];
const directionOf = (one: Entitlement, other: Entitlement) => {
  const [there, back] = [isWider(compare(one, other)), isWider(compare(other, one))];
  return there && back ? "<>" : there ? "<" : back ? ">" : "=";
};

/**
 * Every member of an entry. `<`: the second of a pair is wider, `>`: narrower, `=`: neither, `<>`: both. The pairs are
 * absent and value, empty and value, null and value, absent and empty, absent and null.
 */
const directions: readonly [keyof typeof entryMembers, empty: unknown, value: unknown, string][] = [
  ["AppHMIType", [], ["REMOTE_CONTROL"], "> > < = >"],
  ["nicknames", [], ["Roadtune"], "> > < = >"],
  ["keep_context", false, true, "< < < = ="],
  ["steal_focus", false, true, "< < < = ="],
  ["priority", "", "NORMAL", "> > > = ="],
  ["default_hmi", "", "LIMITED", "> > > = ="],
  ["groups", [], ["A"], "= = = = ="],
  ["preconsented_groups", [], ["A"], "= = = = ="],
  ["moduleType", [], ["RADIO"], "< > < < ="],
  ["RequestType", [], ["HTTP"], "< > > < <"],
  ["RequestSubType", [], ["a"], "< > > < <"],
  ["app_services", {}, service(["Tunes"], [41]).app_services, "< < < = ="],
  ["allow_unknown_rpc_passthrough", false, true, "< < < = ="],
  ["encryption_required", false, true, "= = = = ="],
  ["enabled", false, true, "= = = = ="],
  ["hybrid_app_preference", "", "CLOUD", "= = = = ="],
  ["auth_token", "", "t", "= = = = ="],
  ["endpoint", "", "wss://a.example", "= = = = ="],
  ["cloud_transport_type", "", "WSS", "= = = = ="],
  ["icon_url", "", "https://a.example/i.png", "= = = = ="],
  ["certificate", "", "PEM", "= = = = ="],
  ["heart_beat_timeout_ms", 0, 100, "= = = = ="],
];

describe("W9 and head-unit-rules 17: what absent, empty and null mean decides what is wider", () => {
  it("covers every member of an entry", () =>
    expect(directions.map(([name]) => name)).toEqual(Object.keys(entryMembers)));

  it.each(directions)("%s", (name, empty, value, expected) => {
    const states = entries(name, empty, value);
    expect(pairs.map(([one, other]) => directionOf(states[one], states[other])).join(" ")).toBe(expected);
    const isRight = entryMembers[name].right !== null;
    expect(keyOf(states.value.entry) !== keyOf({ ...plain, [name]: "other" })).toBe(isRight && name !== "nicknames");
    expect(keyOf(states.value.entry, plain) !== keyOf(plain, plain)).toBe(isRight && name !== "groups");
  });

  it("service_names is the reverse of the other lists: absent is every name, empty none", () =>
    expect(pairs.map(([one, other]) => directionOf(ofService[one], ofService[other])).join(" ")).toBe("> < < > >"));

  it.each(["REMOTE_CONTROL", "NAVIGATION", "PROJECTION", "COMMUNICATION", "WEB_VIEW"])(
    "AppHMIType %s opens functions of the head unit: adding it is wider",
    (type) => expect(directionOf(having({ AppHMIType: ["MEDIA"] }), having({ AppHMIType: ["MEDIA", type] }))).toBe("<"),
  );

  it.each([
    ["a type that only tells where to show the app", ["MEDIA"], ["MEDIA", "SOCIAL"], "="],
    ["WEB_VIEW, which must be listed", ["WEB_VIEW"], [], "<>"],
    ["a list that ends empty, because no head unit knows the type", ["REMOTE_CONTROL"], ["TOASTER"], "<"],
  ])("AppHMIType: %s", (_, one, other, expected) => {
    expect(directionOf(having({ AppHMIType: one }), having({ AppHMIType: other }))).toBe(expected);
  });

  it("modules count only for an app that may be of the type REMOTE_CONTROL", () => {
    const modules = (types: readonly string[], moduleType?: readonly string[]) =>
      having({ AppHMIType: types, ...(moduleType && { moduleType }) });
    expect(directionOf(modules(["MEDIA"]), modules(["MEDIA"], []))).toBe("=");
    expect(compare(modules(["MEDIA"], ["SEAT"]), modules(["REMOTE_CONTROL"], ["SEAT"])).more).toEqual([
      ...["AppHMIType: REMOTE_CONTROL", "moduleType: SEAT"],
    ]);
    const keys = [modules(["MEDIA"], []), modules(["REMOTE_CONTROL"], [])].map(({ entry }) =>
      keyOf(entry, { ...entry, moduleType: ["SEAT"] }),
    );
    expect(new Set(keys).size).toBe(2);
  });

  it("nobody gains the names and types that the entry of every app leaves open", () => {
    const own = having({ AppHMIType: ["MEDIA"], nicknames: ["Roadtune"] });
    expect(directionOf(own, having({}, [aGroup("A")], true))).toBe("=");
    expect(directionOf(having({}), own)).toBe(">");
  });

  it("what a build ignores is no change there", () => {
    for (const member of [{ keep_context: true }, { steal_focus: true }, { default_hmi: "FULL" }]) {
      expect(isSame(compare(having({}), having(member), ["regular"]))).toBe(true);
      expect(isWider(compare(having({}), having(member), ["external"]))).toBe(true);
    }
  });
});
