import { describe, expect, it } from "vitest";
import { buildPromptLink, passesFilter } from "@/lib/records/groups/console-rows";
import type { GroupRecord } from "@/lib/records/groups/rules";
import { isInState } from "@/lib/records/store/listing";
import { aGroup, anRpc } from "@/test/support/builders";

const aRecord = (partial: Partial<GroupRecord> = {}): GroupRecord => ({ ...aGroup(), description: null, ...partial });

const group = aRecord({
  ...{ name: "Location-1", description: "Where the car is", userConsentPrompt: "Location", isWidgetGroup: true },
  rpcs: [anRpc({ name: "GetVehicleData", parameters: ["gps", "speed"] }), anRpc({ levels: ["BACKGROUND", "FULL"] })],
});

it.each<[string, Parameters<typeof passesFilter>[1], boolean]>([
  ["finds a name", { q: "location-1" }, true],
  ["finds a description", { q: "THE CAR" }, true],
  ["finds an RPC inside", { q: "getvehicle" }, true],
  ["finds a parameter inside", { q: "Speed" }, true],
  ["finds nothing that is not there", { q: "odometer" }, false],
  ["asks for a level where the searched parameter is", { q: "speed", level: "FULL" }, true],
  ["does not ask for it elsewhere in the group", { q: "speed", level: "BACKGROUND" }, false],
  ["asks for a level where the searched RPC is", { q: "show", level: "BACKGROUND" }, true],
  ["asks for a level alone", { level: "NONE" }, false],
  ["takes a parameter within an RPC", { rpc: "GetVehicleData", param: "speed" }, true],
  ["takes no parameter of another RPC", { rpc: "Show", param: "speed" }, false],
  ["takes names in full", { param: "spee" }, false],
  ["filters by grant", { grant: "widget" }, true],
  ["filters by another grant", { grant: "default" }, false],
  ["filters by a prompt", { prompt: "with" }, true],
  ["filters by no prompt", { prompt: "without" }, false],
  ["filters by encryption", { encryption: "required" }, false],
])("2.5: %s: %j", (_, filter, passes) => expect(passesFilter(group, filter)).toBe(passes));

it("2.5: a staged group without one in production is new, a deletion is neither new nor in production", () => {
  const staged = aRecord({ status: "STAGING" });
  const deleted = aRecord({ status: "STAGING", isDeleted: true });
  const states = ["modified", "new", "deleted", "production"] as const;
  const statesOf = (record: GroupRecord) => states.filter((state) => isInState(record, true, state));
  expect(statesOf(staged)).toEqual(["modified", "new"]);
  expect(isInState(staged, false, "new")).toBe(false);
  expect(statesOf(deleted)).toEqual(["modified", "deleted"]);
});

describe("2.5: the prompt of a group links to the message that is shown", () => {
  const prompt = (id: number, status: "STAGING" | "PRODUCTION") =>
    new Map([["Location", { id, category: "Location", status }]]);
  const views = { staging: prompt(2, "STAGING"), production: prompt(1, "PRODUCTION") };
  const none = new Map();

  it.each([
    [views, "staging", { id: 2, state: "modified" }],
    [views, "production", { id: 1, state: "production" }],
    [{ ...views, staging: none }, "staging", { id: 1, state: "missing" }],
    [{ ...views, production: none }, "staging", { id: 2, state: "staging" }],
    [{ ...views, production: none }, "production", { id: null, state: "missing" }],
  ] as const)("%j in %s: %j", (of, environment, link) => {
    expect(buildPromptLink("Location", of, environment)).toEqual({ category: "Location", ...link });
  });

  it("no prompt, no link", () => expect(buildPromptLink(null, views, "staging")).toBeNull());
});
