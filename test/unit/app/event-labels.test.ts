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

it("P13: every kind of event that the server records is in the chooser, and has a verb", () => {
  const texts = found(/\baction:(?: \w+ === null \?| isSelected \?)?((?:[ :|]*"[\w.-]+")+)/g);
  const literals = texts.flatMap((text) => text.match(/[\w.-]+/g) ?? []);
  const ofFlags = found(/^ {2}\w+: "(applications\.\w+)",$/gm);
  const ofRollouts = found(/^ {2}\w+: "(rollouts\.\w+)",$/gm);
  const areas = found(/^ {2}area: "([\w-]+)",$/gm);
  const verbs = Object.keys(recordKinds);
  expect([literals.length > 40, ofFlags.length, ofRollouts.length, areas.length]).toEqual([true, 5, 7, 4]);
  const recorded = [
    ...literals,
    ...ofFlags,
    ...ofRollouts,
    ...areas.flatMap((area) => verbs.map((verb) => `${area}.${verb}`)),
  ];
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

it.each<[before: unknown, after: unknown, verb: string, change: string]>([
  [decided("PENDING"), blocked, "blocked", "privacy complaint {}, blocked no → yes"],
  [
    blocked,
    decided("ACCEPTED"),
    "unblocked",
    "status pending → approved, privacy complaint {} → none, blocked yes → no",
  ],
  [decided("ACCEPTED"), decided("STAGING"), "moved back", "status approved → in staging"],
  [
    decided("STAGING"),
    decided("ACCEPTED", { is_forced: true }),
    "approved",
    "status in staging → approved, forced yes",
  ],
])("P13: a decision tells what it changed: from %j to %j", (before, after, verb, change) => {
  expect(describeEvent({ action: "applications.action", target: "application:41", before, after }, names)).toBe(
    `${verb} Pigeonpost v3.9.0: ${change}`,
  );
});

const stored = { application: 41, approval_status: "ACCEPTED" };
const asked = { kind: "publish", title: "Unblock Podcat", by: "Ada", items: ["group:A 7"] };
const imported = { is_blacklisted: false, versions: [{}] };
const failed = { address: "192.0.2.1", count: 12 };
it.each<[string, string, unknown, unknown, string]>([
  ["applications.action", "application:9", null, null, "decided about a version of an app, record 9"],
  ["applications.store", "app:u1", null, stored, "received Pigeonpost v3.9.0: status approved"],
  [
    "applications.auto",
    "app:u1",
    null,
    { isAutoApprovedEnabled: true },
    "changed automatic approval of Pigeonpost: auto approved enabled yes",
  ],
  ["applications.delete", "app:u2", { name: "Roadtune", versions: 2 }, null, "deleted Roadtune: versions 2"],
  ["applications.delete", "app:u2", { versions: 1 }, null, "deleted the app u2: versions 1"],
  [
    "applications.groups.grant",
    "application:41",
    null,
    { group: "a {} b" },
    "granted a group to Pigeonpost v3.9.0: a {} b",
  ],
  ["groups.save", "group:{}", null, 1, "saved the functional group {}"],
  ["groups.promote", "group:Location-1", 1, 2, "published the functional group Location-1"],
  ["groups.delete", "group:Gone", 1, 2, "staged the deletion of the functional group Gone"],
  ["vehicle-data.save", "vehicle-data:a:b", null, 1, "saved the vehicle data item a:b"],
  ["module.save", "module_config", null, 1, "saved the module config"],
  ["releases.publish", "release:3", null, 2, "published release 3"],
  ["releases.publish", "release:3", null, { items: 2, reason: "Fair" }, "published release 3: items 2, Fair"],
  ["releases.publish", "release:3", null, { returned_to: 1 }, "published release 3: returned to 1"],
  ["applications.import", "app:u1", null, imported, "imported decisions about Pigeonpost: blocked no, versions 1"],
  [
    "audit.seal",
    "audit",
    null,
    { event_count: 2, reason: "why" },
    "sealed the audit trail as found: event count 2, why",
  ],
  ["approvals.ask", "approval:3", null, asked, "made the request for approval 3: Unblock Podcat, by Ada, items 1"],
  ["approvals.reject", "approval:3", { title: "A" }, { reason: "b" }, "rejected the request for approval 3: A, b"],
  ["approvals.comment", "approval:3", null, { text: "Why now?" }, "commented on the request for approval 3: Why now?"],
  [
    "releases.schedule",
    "scheduled:4",
    null,
    "2026-03-01T06:00Z",
    "created scheduled release 4: 2026-03-01 06:00:00 UTC",
  ],
  [
    "rollouts.start",
    "rollout:2",
    null,
    { share: "1 %", steps: "1 % for 1 day, 100 %" },
    "started the rollout of release 2: share 1 %, 1 % for 1 day, 100 %",
  ],
  [
    "rollouts.brake",
    "rollout:2",
    null,
    { share: "1 %", reason: "rejected calls: 2 a request", figure: "rejected" },
    "stopped the rollout of release 2: share 1 %, rejected calls: 2 a request, figure rejected",
  ],
  ["login.fail", "login", null, failed, "failed to sign in: 192.0.2.1, count 12"],
  ["logout", "login", null, null, "signed out"],
  ["token.revoke", "token:7", { name: "Pipeline" }, null, "revoked the token Pipeline"],
  ["retention.remove", "retention", null, {}, "removed old records"],
  ["directory.update", "service types", null, { added: 1 }, "updated lists of the app directory: added 1"],
  ["new.verb", "thing:1", null, null, "new.verb thing 1"],
])("P13: %s of %s is told", (action, target, before, after, sentence) => {
  expect(describeEvent({ action, target, before, after }, names)).toBe(sentence);
});

it("P13: events of any content are told", () => {
  const values = [undefined, null, 1, "text", [], {}, { kind: "publish", items: [null] }, { at: 1, count: -1 }];
  for (const action of known) {
    for (const value of values) {
      for (const [before, after] of [
        [value, value],
        [value, null],
        [undefined, value],
      ] as const) {
        const { verb, name, change } = tellEvent({ action, target: "app:u1", before, after }, names);
        expect(verb).toMatch(/^[a-z]/);
        expect(`${name}${change}`).not.toMatch(/undefined|null|\[object/);
      }
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
