import { beforeAll, describe, expect, it } from "vitest";
import * as auditRoute from "@/app/api/v1/audit/route";
import * as exportRoute from "@/app/api/v1/audit/export/route";
import type { AuditEntry } from "@/lib/platform/db/audit";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { AuditEventModel } from "@/models/audit-event";
import { fetchQuery, storeApp } from "@/test/support/applications";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { publishFirst, publishAll, stageGroup } from "@/test/support/releases";
import { aRequest } from "@/test/support/requests";

/* What the activity list can be asked for (`people.md` P13). */

withDatabase();

const ada = { ...testContext, displayName: "Ada", isNameVerified: true };
const record = (entry: AuditEntry, writer = testContext) => recordAuditEvent(writer, entry);
const actionsOf = async (query: string): Promise<string[]> => {
  const { status, data } = await fetchQuery(auditRoute.GET, `?limit=1000&${query}`);
  expect(status).toBe(200);
  return data.events.map(({ action, target }: { action: string; target: string }) => `${action} ${target}`);
};

beforeAll(async () => {
  await emptyDatabase();
  await publishFirst();
  await stageGroup("Seats (all)");
  // Leaves the revision, and so carries the number of the release that follows.
  await record({ action: "token.revoke", target: "token:6" });
  await publishAll();
  await record({ action: "token.make", target: "token:7" }, ada);
  await record({ action: "applications.action", target: "application:41", after: { approval_status: "ACCEPTED" } });
  await record({ action: "applications.action", target: "application:42", after: { approval_status: "STAGING" } });
});

describe("P13: filters", () => {
  it("person: who did it, by name, or as what", async () => {
    expect(await actionsOf("person=Ada")).toEqual(["token.make token:7"]);
    expect(await actionsOf("person=Nobody")).toEqual([]);
    expect(await actionsOf(`person=${testContext.actor}`)).toContain("token.make token:7");
  });

  it.each([
    ["family=group", ["group:Seats (all)", "group:Base"]],
    ["family=vehicle_data", ["vehicle-data:scent"]],
    ["family=module_config", ["module_config"]],
    ["family=app", ["application:42", "application:41"]],
    ["family=release", ["release:2", "release:1"]],
    ["family=access", ["token:7", "token:6"]],
  ])("family: %s", async (query, targets) => {
    expect([...new Set((await actionsOf(query)).map((text) => text.slice(text.indexOf(" ") + 1)))]).toEqual(targets);
  });

  it("item: a part of its name, whatever stands in it", async () =>
    expect(new Set(await actionsOf(`item=${encodeURIComponent("seats (")}`))).toEqual(
      new Set(["groups.save group:Seats (all)", "groups.promote group:Seats (all)"]),
    ));

  it("item: a part of an app's name", async () => {
    const id = await storeApp("uuid-9", "PENDING", { name: "Pigeonpost (beta)" });
    await record({ action: "applications.auto", target: "app:uuid-9" });
    await record({ action: "applications.action", target: `application:${id}` });
    expect(await actionsOf("item=pigeonpost%20(")).toEqual([
      `applications.action application:${id}`,
      "applications.auto app:uuid-9",
    ]);
  });

  it("action: one, or all of an area", async () => {
    expect(await actionsOf("action=groups.save")).toHaveLength(2);
    expect(await actionsOf("action=groups")).toHaveLength(4);
    expect(await actionsOf("action=group")).toEqual([]);
  });

  it("environment: what changed production, or staging", async () => {
    expect(await actionsOf("environment=production&family=app")).toEqual(["applications.action application:41"]);
    expect(await actionsOf("environment=staging&family=app")).toEqual(["applications.action application:42"]);
    expect(await actionsOf("environment=production&action=groups.save")).toEqual([]);
    expect(await actionsOf("environment=staging&action=groups.promote")).toEqual([]);
    expect(await actionsOf("environment=production&family=release")).toHaveLength(2);
  });

  it("finding G8: release: what it is made of, and nothing that was done before it", async () => {
    expect(new Set(await actionsOf("release=2"))).toEqual(
      new Set(["releases.publish release:2", "groups.promote group:Seats (all)"]),
    );
    expect(await actionsOf("release=99")).toEqual([]);
  });

  it("time: from, and before", async () => {
    await AuditEventModel.updateMany({ target: "token:7" }, { $set: { at: new Date("2026-01-15T12:00:00Z") } });
    expect(await actionsOf("to=2026-02-01T00:00:00Z")).toEqual(["token.make token:7"]);
    expect(await actionsOf("from=2026-01-15T12:00:00Z&to=2026-01-15T12:00:01Z")).toEqual(["token.make token:7"]);
    expect(await actionsOf("from=2026-01-15T12:00:01%2B00:00&to=2026-02-01T00:00:00Z")).toEqual([]);
    expect((await fetchQuery(auditRoute.GET, "?from=yesterday")).message).toContain("from must be a time");
    // Days are whole, in UTC.
    expect(await actionsOf("from=2026-01-15&to=2026-01-15")).toEqual(["token.make token:7"]);
    expect(await actionsOf("from=2026-01-16&to=2026-01-31")).toEqual([]);
    expect(await actionsOf("to=2026-01-14")).toEqual([]);
    expect((await fetchQuery(auditRoute.GET, "?to=2026-02-30")).message).toContain("to must be a time");
  });
});

describe("P13: exports", () => {
  const load = async (query: string) => (await exportRoute.GET(aRequest(`/api/v1/audit/export?${query}`))).text();

  it("NDJSON holds exactly what the list shows", async () => {
    const lines = (await load("format=ndjson&family=group")).trim().split("\n");
    const { data } = await fetchQuery(auditRoute.GET, "?family=group");
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      data.events.map((event: object) => ({
        ...event,
        hash,
        previous_hash: event === data.events.at(-1) ? null : hash,
      })),
    );
  });

  it("CSV has one line for each event, and no formulas", async () => {
    await record({ action: "test.write", target: "=1+1" });
    const lines = (await load("format=csv&action=test.write")).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",'=1+1,");
  });

  it("an export of more than one page of the database is whole", async () => {
    const before = (await load("format=ndjson")).trim().split("\n").length;
    for (let index = 0; index < 501; index += 1) await record({ action: "test.many", target: `thing:${index}` });
    const after = (await load("format=ndjson")).trim().split("\n");
    expect(after).toHaveLength(before + 501);
    expect(new Set(after).size).toBe(after.length);
  });
});
