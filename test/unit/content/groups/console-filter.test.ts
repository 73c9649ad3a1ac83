import { describe, expect, it } from "vitest";
import { buildPromptLink, passesFilter } from "@/lib/content/groups/console-rows";
import type { GroupRecord } from "@/lib/content/groups/rules";
import { isInState } from "@/lib/content/records/listing";
import { aGroup } from "@/test/support/builders";

const aGroupRecord = (partial: Partial<GroupRecord> = {}): GroupRecord => ({
  ...aGroup(),
  description: null,
  ...partial,
});

const group = aGroupRecord({
  name: "Location-1",
  description: "Where the car is",
  userConsentPrompt: "Location",
  isWidgetGroup: true,
  rpcs: [
    { name: "GetVehicleData", levels: ["FULL"], parameters: ["gps", "speed"] },
    { name: "Show", levels: ["BACKGROUND", "FULL"], parameters: [] },
  ],
});

describe("2.5: search also inside groups", () => {
  it.each(["location-1", "THE CAR", "getvehicle", "Speed"])("finds %s", (q) => {
    expect(passesFilter(group, { q })).toBe(true);
  });

  it("finds nothing that is not there", () => {
    expect(passesFilter(group, { q: "odometer" })).toBe(false);
  });

  it("asks for a level where the searched parameter is, not elsewhere in the group", () => {
    expect(passesFilter(group, { q: "speed", level: "FULL" })).toBe(true);
    expect(passesFilter(group, { q: "speed", level: "BACKGROUND" })).toBe(false);
    expect(passesFilter(group, { q: "show", level: "BACKGROUND" })).toBe(true);
    expect(passesFilter(group, { level: "NONE" })).toBe(false);
  });

  it("takes an RPC and a parameter in full, within one another", () => {
    expect(passesFilter(group, { rpc: "GetVehicleData", param: "speed" })).toBe(true);
    expect(passesFilter(group, { rpc: "Show", param: "speed" })).toBe(false);
    expect(passesFilter(group, { param: "spee" })).toBe(false);
  });
});

it("2.5: filters by grant, prompt and encryption", () => {
  expect(passesFilter(group, { grant: "widget" })).toBe(true);
  expect(passesFilter(group, { grant: "default" })).toBe(false);
  expect(passesFilter(group, { prompt: "with" })).toBe(true);
  expect(passesFilter(group, { prompt: "without" })).toBe(false);
  expect(passesFilter(group, { encryption: "required" })).toBe(false);
});

it("2.5: a staged group without one in production is new, a deletion is neither new nor in production", () => {
  const staged = aGroupRecord({ status: "STAGING" });
  const deleted = aGroupRecord({ status: "STAGING", isDeleted: true });
  expect(["modified", "new", "deleted"].map((state) => isInState(staged, true, state as "new"))).toEqual([
    true,
    true,
    false,
  ]);
  expect(isInState(staged, false, "new")).toBe(false);
  expect(["modified", "new", "deleted", "production"].map((s) => isInState(deleted, true, s as "new"))).toEqual([
    true,
    false,
    true,
    false,
  ]);
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

  it("no prompt, no link", () => {
    expect(buildPromptLink(null, views, "staging")).toBeNull();
  });
});
