import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { eventKinds, recordKinds } from "@/app/(console)/activity/event-kinds";
import { describeEvent, pathOfEvent, pathOfTarget, tellEvent } from "@/app/(console)/activity/event-labels";

const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(path.join("lib", file), "utf8"));
const found = (pattern: RegExp) => sources.flatMap((text) => Array.from(text.matchAll(pattern), ([, one = ""]) => one));
const known = Object.values(eventKinds).flatMap((kinds) => Object.keys(kinds));

it("P13: every kind of event that the server records is in the chooser, and has a sentence", () => {
  const texts = found(/\baction:(?: \w+ === null \?| isSelected \?)?((?:[ :|]*"[\w.-]+")+)/g);
  const literals = texts.flatMap((text) => text.match(/[\w.-]+/g) ?? []);
  const ofFlags = found(/^ {2}\w+: "(applications\.\w+)",$/gm);
  const areas = found(/^ {2}area: "([\w-]+)",$/gm);
  const verbs = Object.keys(recordKinds);
  expect([literals.length > 40, ofFlags.length, areas.length]).toEqual([true, 5, 4]);
  const recorded = [...literals, ...ofFlags, ...areas.flatMap((area) => verbs.map((verb) => `${area}.${verb}`))];
  expect(recorded.filter((action) => !known.includes(action))).toEqual([]);
  // Comments on requests are only in events of earlier versions.
  expect(known.filter((action) => !recorded.includes(action))).toEqual(["approvals.comment"]);
  expect(new Set(known).size).toBe(known.length);
});

const names = new Map([
  ["app:u1", "Pigeonpost"],
  ["application:41", "Pigeonpost v3.9.0"],
  ["group:Location-1", "Location-1"],
]);
const decided = (approval_status: string, more: object = {}) => {
  return { approval_status, denial_message: null, is_blacklisted: false, ...more };
};
const blocked = decided("PENDING", { is_blacklisted: true, denial_message: "privacy complaint {}" });

const staging = decided("STAGING");
const accepted = decided("ACCEPTED");
it.each<[before: unknown, after: unknown, sentence: string]>([
  [decided("PENDING"), blocked, "blocked Pigeonpost v3.9.0: privacy complaint {}"],
  [blocked, decided("PENDING"), "unblocked Pigeonpost v3.9.0"],
  [decided("PENDING"), staging, "approved Pigeonpost v3.9.0 for staging"],
  [accepted, staging, "moved Pigeonpost v3.9.0 back to staging"],
  [staging, accepted, "approved Pigeonpost v3.9.0 for production"],
  [null, decided("LIMITED", { denial_message: "why" }), "limited Pigeonpost v3.9.0: why"],
  [blocked, accepted, "unblocked Pigeonpost v3.9.0 and approved it for production"],
  [
    decided("PENDING"),
    decided("PENDING", { denial_message: "why" }),
    "changed the message about Pigeonpost v3.9.0: why",
  ],
  [staging, decided("ACCEPTED", { is_forced: true }), "approved Pigeonpost v3.9.0 for production despite findings"],
])("P13: a decision is a sentence: from %j to %j", (before, after, sentence) => {
  expect(describeEvent({ action: "applications.action", target: "application:41", before, after }, names)).toBe(
    sentence,
  );
});

const stored = { application: 41, approval_status: "ACCEPTED" };
const asked = { kind: "publish", items: ["group:A 7"] };
const back = { items: 1, returned_to: 1 };
const imported = { is_blacklisted: false, is_auto_approved_enabled: true, versions: [{}] };
const failed = { address: "192.0.2.1", count: 12 };
it.each<[string, string, unknown, unknown, string]>([
  ["applications.action", "application:9", null, null, "decided about a version of an app, record 9"],
  [
    "applications.store",
    "app:u1",
    null,
    stored,
    "received Pigeonpost v3.9.0 from the app directory and approved it automatically",
  ],
  ["applications.auto", "app:u1", null, { isAutoApprovedEnabled: true }, "turned on automatic approval of Pigeonpost"],
  ["applications.delete", "app:u2", { name: "Roadtune", versions: 2 }, null, "deleted Roadtune with 2 versions"],
  ["applications.delete", "app:u2", { versions: 1 }, null, "deleted the app u2 with 1 version"],
  [
    "applications.groups.grant",
    "application:41",
    null,
    { group: "a {} b" },
    "granted the group a {} b to Pigeonpost v3.9.0",
  ],
  ["groups.save", "group:{}", null, 1, "saved the functional group {}"],
  ["groups.promote", "group:Location-1", 1, 2, "published the functional group Location-1"],
  ["groups.delete", "group:Gone", 1, 2, "deleted the functional group Gone in staging"],
  ["vehicle-data.save", "vehicle-data:a:b", null, 1, "saved the vehicle data item a:b"],
  ["module.save", "module_config", null, 1, "saved the module config"],
  ["releases.publish", "release:3", null, 2, "published release 3 with 2 changes"],
  ["releases.publish", "release:3", null, { items: 2, reason: "Fair" }, "published release 3 with 2 changes: Fair"],
  ["releases.publish", "release:3", null, back, "rolled production back to release 1 as release 3 with 1 change"],
  ["applications.import", "app:u1", null, null, "imported decisions about Pigeonpost"],
  [
    "applications.import",
    "app:u1",
    null,
    imported,
    "imported decisions about Pigeonpost: unblocked, automatic approval on, 1 version",
  ],
  [
    "audit.seal",
    "audit",
    null,
    { event_count: 2, reason: "why" },
    "sealed the audit trail as found with 2 events: why",
  ],
  ["approvals.ask", "approval:3", null, { title: "Unblock Podcat" }, "made the request for approval 3: Unblock Podcat"],
  ["approvals.withdraw", "approval:3", { title: "A" }, { replaced_by: 4 }, "replaced the request for approval 3: A"],
  [
    "releases.schedule",
    "scheduled:4",
    null,
    "2026-03-01T06:00Z",
    "created scheduled release 4 for 2026-03-01 06:00:00 UTC",
  ],
  ["approvals.ask", "approval:3", null, asked, "made the request for approval 3 to publish A"],
  ["approvals.approve", "approval:3", null, null, "approved the request for approval 3"],
  ["login.fail", "login", null, failed, "failed to sign in 12 times from 192.0.2.1"],
  ["logout", "login", null, null, "signed out"],
  ["token.revoke", "token:7", { name: "Pipeline" }, null, "revoked the token Pipeline"],
  ["retention.remove", "retention", null, {}, "removed old records"],
  ["directory.update", "service types", null, {}, "updated service types from the app directory"],
  ["new.verb", "thing:1", null, null, "new.verb thing 1"],
])("P13: %s of %s is a sentence", (action, target, before, after, sentence) => {
  expect(describeEvent({ action, target, before, after }, names)).toBe(sentence);
});

it("P13: events of any content are sentences", () => {
  const values = [undefined, null, 1, "text", [], {}, { kind: "publish", items: [null] }, { at: 1, count: -1 }];
  for (const action of known) {
    for (const value of values) {
      const { head, name, tail } = tellEvent({ action, target: "app:u1", before: value, after: value }, names);
      expect(head).toMatch(/^[a-z]/);
      expect(`${name}${tail}`).not.toMatch(/undefined|null|\[object/);
    }
  }
});

it.each([
  ["group:A&B", "/functionalgroups/manage?name=A%26B&environment=staging"],
  ["application:41", "/applications/41"],
  ["release:2", "/releases/2"],
  ["login", null],
])("P13: %s leads to what it is about", (target, expected) => {
  expect(pathOfTarget(target)).toBe(expected);
});

it("P13: what is gone has no link", () => {
  expect(pathOfEvent("application:41", names)).toBe("/applications/41");
  expect(pathOfEvent("application:9", names)).toBeNull();
  expect(pathOfEvent("group:Gone", names)).toBeNull();
  expect(pathOfEvent("release:2", names)).toBe("/releases/2");
});
