import { describe, expect, it } from "vitest";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReviewCase } from "@/lib/releases/checks/review-case";
import { runChecks } from "@/lib/releases/checks/run-checks";
import { chooseChanges, listStagedChanges } from "@/lib/releases/review/changes";
import { buildPublished, contentsOf } from "@/lib/releases/review/production";
import { itemText, readItemText } from "@/lib/vocabulary/release-items";
import {
  aBaseGroup,
  aGroup,
  aMessage,
  aMessageLanguage,
  aModuleConfig,
  anRpc,
  aSnapshot,
  aVehicleDataRecord,
  viewsOf,
} from "@/test/support/builders";
import { forgetSettings } from "@/test/support/settings";

forgetSettings();

const staged = { status: "STAGING" } as const;

function check(before: PolicySnapshot, ...items: readonly string[]) {
  const all = listStagedChanges(before);
  const named = items.flatMap((text) => readItemText(text) ?? []);
  const chosen = items.length === 0 ? all : chooseChanges(all, named);
  const contents = contentsOf(before, chosen);
  const waiting = all.filter((change) => !chosen.includes(change));
  const after = buildPublished(before, contents, 0);
  const review: ReviewCase = { before, after, contents, waiting, now: Date.now() };
  return runChecks(review, [], [], { publicBaseUrl: "https://policy.example.com" });
}
const groupsOf = (...groups: Parameters<typeof viewsOf<ReturnType<typeof aGroup>>>[0]) =>
  viewsOf([aBaseGroup(), ...groups], ({ name }) => name);
const messagesOf = (...messages: ReturnType<typeof aMessage>[]) => viewsOf(messages, ({ category }) => category);
const summary = (checks: ReturnType<typeof check>) =>
  checks.map((one) => [one.level, one.rule, itemText(one), one.remedy === null ? null : itemText(one.remedy)]);

describe("L6: what blocks", () => {
  it("a consent prompt that is not in production, mended by its message", () => {
    const groups = groupsOf(aGroup({ id: 2, name: "Seats", userConsentPrompt: "Seats", ...staged }));
    const before = aSnapshot({ groups, messages: messagesOf(aMessage({ category: "Seats", ...staged })) });
    expect(summary(check(before, "group:Seats"))).toEqual([
      ["block", "consent prompt missing", "group:Seats", "message:Seats"],
    ]);
    expect(check(before)).toEqual([]);
    expect(summary(check(aSnapshot({ groups })))).toEqual([["block", "consent prompt missing", "group:Seats", null]]);
  });

  it("a message that a group asks with, mended by the group that does so no more", () => {
    const asking = aGroup({ id: 2, name: "Seats", userConsentPrompt: "Seats" });
    const messages = messagesOf(
      aMessage({ category: "Seats" }),
      aMessage({ id: 2, category: "Seats", isDeleted: true, ...staged }),
    );
    const changed = { ...asking, id: 3, userConsentPrompt: null, ...staged };
    expect(summary(check(aSnapshot({ groups: groupsOf(asking, changed), messages }), "message:Seats"))).toEqual([
      ["block", "message in use", "message:Seats", "group:Seats"],
    ]);
    expect(summary(check(aSnapshot({ groups: groupsOf(asking), messages })))).toEqual([
      ["block", "message in use", "message:Seats", null],
    ]);
    expect(check(aSnapshot({ groups: groupsOf(asking, changed), messages }))).toEqual([]);
  });

  it("half a certificate pair", () => {
    const config = aModuleConfig({ id: 2, privateKey: "key", ...staged });
    const before = aSnapshot({ moduleConfigs: viewsOf([aModuleConfig(), config], () => "") });
    const [found] = check(before, "module_config:");
    expect(found).toMatchObject({ level: "block", rule: "half a certificate pair", family: "module_config", key: "" });
    expect(JSON.stringify(found)).not.toContain('"key":"key"');
  });
});

describe("L6: what head units would object to", () => {
  it("names the item of the place", () => {
    const languages = [aMessageLanguage({ label: "x".repeat(70_000) })];
    const message = aMessage({ id: 2, category: "a.b", languages, ...staged });
    const before = aSnapshot({ groups: groupsOf(), messages: messagesOf(aMessage(), message) });
    expect(summary(check(before)).map(([level, , item]) => [level, item])).toContainEqual(["finding", "message:a.b"]);
  });

  it.each([false, true])(
    "L6: the end of registration is one of the group that ends it, not of those beside it",
    (isDefault) => {
      const [one, other] = ["Alerts", "Zoom"].map((name, at) => aGroup({ id: 1 + 9 * at, name, isDefault, ...staged }));
      const groups = viewsOf(
        [one!, aBaseGroup({ id: 2 }), aBaseGroup({ id: 3, rpcs: [anRpc()], ...staged }), other!],
        ({ name }) => name,
      );
      const found = summary(check(aSnapshot({ groups }))).filter(([level]) => level === "finding");
      const rules = ["G10 registration", "G10 registration", "G10 next update", "G10 next update"];
      expect(found.map(([, rule, item]) => [rule, item])).toEqual(rules.map((rule) => [rule, "group:Base"]));
    },
  );

  it("too many groups are a finding of one that is added, not of one that changes, nor of a message", () => {
    const many = Array.from({ length: 255 }, (_, at) => aGroup({ id: 10 + at, name: `G${at}` }));
    const [some] = many;
    const changed = [aGroup({ ...some, id: 900, rpcs: [anRpc({ name: "Speak" })], ...staged })];
    const groups = groupsOf(...many.slice(0, 254), ...changed, aGroup({ id: 901, name: "New", ...staged }));
    const before = aSnapshot({ groups, messages: messagesOf(aMessage({ ...staged })) });
    expect(summary(check(before)).filter(([level]) => level === "finding")[0]?.[2]).toBe("group:New");
  });
});

describe("L6: what one should know", () => {
  it("a default group that all apps get from now on", () => {
    const groups = groupsOf(aGroup({ id: 2, name: "More", isDefault: true, ...staged }));
    expect(summary(check(aSnapshot({ groups })))).toEqual([
      ["warning", "default group for all apps", "group:More", null],
    ]);
  });

  it("a newer wording that stays in staging, mended by its message", () => {
    const asking = aGroup({ id: 2, name: "Seats", userConsentPrompt: "Seats", ...staged });
    const newer = aMessage({ id: 2, category: "Seats", languages: [aMessageLanguage({ label: "newer" })], ...staged });
    const messages = messagesOf(aMessage({ category: "Seats" }), newer);
    const before = aSnapshot({ groups: groupsOf(asking), messages });
    expect(summary(check(before, "group:Seats"))).toEqual([
      ["warning", "older wording", "group:Seats", "message:Seats"],
    ]);
    expect(check(before)).toEqual([]);
  });

  it("7 languages of prompts: one warning per prompt that newly lacks languages, even one that no message has any more", () => {
    const spoken = (id: number, category: string, languages: readonly string[], status = {}) =>
      aMessage({
        id,
        category,
        languages: languages.map((languageId) => aMessageLanguage({ languageId, label: "x" })),
        ...status,
      });
    const asking = ["Seats", "Doors"].map((name, index) => aGroup({ id: index + 2, name, userConsentPrompt: name }));
    const warned = (seats: readonly string[], plain: readonly string[]) => {
      const stored = [
        spoken(1, "Seats", ["en-us", "de-de"]),
        spoken(2, "Doors", ["en-us"]),
        spoken(3, "Plain", ["en-us"]),
      ];
      const changed = [spoken(4, "Seats", seats, staged), spoken(5, "Plain", plain, staged)];
      const before = aSnapshot({ groups: groupsOf(...asking), messages: messagesOf(...stored, ...changed) });
      return check(before).flatMap(({ level, rule, key, message }) =>
        rule === "without effect" ? [] : [[level, rule, key, message]],
      );
    };
    const rule = "7 consumer_friendly_messages: languages of prompts";
    const sentence = (key: string, languages: string) =>
      `A head unit of build mode EXTERNAL_PROPRIETARY asks drivers in ${languages} with an empty text (other build modes show the en-us one): the message "${key}" has no text there`;
    expect(warned(["en-us"], ["en-us"])).toEqual([["warning", rule, "Seats", sentence("Seats", "de-de")]]);
    expect(warned(["en-us", "de-de"], ["en-us", "fr-fr", "it-it"])).toEqual([
      ["warning", rule, "Doors", sentence("Doors", "fr-fr, it-it")],
      ["warning", rule, "Seats", sentence("Seats", "fr-fr, it-it")],
    ]);
    expect(warned(["en-us", "de-de"], ["en-us"])).toEqual([]);
  });

  it("7 a language with no text at all: English without a text is a warning, and needs no force", () => {
    const messages = messagesOf(aMessage({ languages: [aMessageLanguage()], ...staged }));
    expect(summary(check(aSnapshot({ groups: groupsOf(), messages })))).toEqual([
      ["warning", "7 consumer_friendly_messages: a language with no text at all", "message:Location", null],
    ]);
  });

  it("items that change nothing in the table", () => {
    const group = aGroup({ id: 2, name: "Same", rpcs: [anRpc({ levels: ["FULL", "NONE"] })] });
    const rpcs = [anRpc({ levels: ["NONE", "FULL"] }), anRpc({ name: "No", levels: [] })];
    const same = { ...group, id: 3, rpcs, ...staged };
    const data = viewsOf([aVehicleDataRecord(), aVehicleDataRecord({ id: 2, ...staged })], ({ name }) => name);
    expect(summary(check(aSnapshot({ groups: groupsOf(group, same), vehicleData: data })))).toEqual([
      ["warning", "without effect", "vehicle_data:cabinScent", null],
      ["warning", "without effect", "group:Same", null],
    ]);
    // Who gets a group is no part of its section, and an effect all the same.
    const given = { ...same, isWidgetGroup: true };
    expect(check(aSnapshot({ groups: groupsOf(group, given) }))).toEqual([]);
  });
});
