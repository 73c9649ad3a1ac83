import { beforeEach, describe, expect, it } from "vitest";
import { groupFamily, saveGroup } from "@/lib/content/groups/commands";
import { saveGroupBody } from "@/lib/content/groups/schema";
import { moduleConfigFamily } from "@/lib/content/module-config/commands";
import { promoteRecords } from "@/lib/gate/publish/promote";
import { beginRelease, recordRelease } from "@/lib/content/releases/record-release";
import { itemPath } from "@/lib/labels/release-items";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { storeApp } from "@/test/support/applications";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";
import { forgetSettings } from "@/test/support/settings";
import { store, storeModuleConfig } from "@/test/support/stored-records";

withDatabase();
forgetSettings();
beforeEach(emptyDatabase);

const ann = { ...testContext, displayName: "Ann", isNameVerified: true };
const rpc = (name: string) => ({
  name,
  selected: true,
  hmi_levels: [{ value: "FULL", selected: true }],
  parameters: [],
});
const save = (name: string, rpcs: readonly string[], members: object = {}) =>
  saveGroup(saveGroupBody.parse({ name, is_default: false, rpcs: rpcs.map(rpc), ...members }), ann);
const promote = () => promoteRecords([{ family: groupFamily }, { family: moduleConfigFamily }], { force: true }, ann);

async function call(
  name: string,
  params: Record<string, string>,
  { query = "", body }: { query?: string; body?: object } = {},
) {
  const { handler, method } = findRoute(name);
  const request = aRequest(`/api/v1/x${query}`, { method, ...(body && { body }) });
  const answer = await readAnswer(await handler(request, { params: Promise.resolve(params) }));
  return { status: answer.meta.code, message: answer.meta.message, data: answer.data };
}
const release = (n: number | string) => call("GET /api/v1/releases/{n}", { n: String(n) });
const releases = (query = "") => call("GET /api/v1/releases", {}, { query });
const diff = (n: number, query = "") => call("GET /api/v1/releases/{n}/diff", { n: String(n) }, { query });
const history = (family: string, key: string, query = "") =>
  call("GET /api/v1/history/{family}/{key}", { family, key }, { query });
const compare = (family: string, key: string, query: string) =>
  call("GET /api/v1/history/{family}/{key}/diff", { family, key }, { query });
const restore = (family: string, key: string, body: object) =>
  call("POST /api/v1/history/{family}/{key}/restore", { family, key }, { body });

/** A with Show, then A with Alert and B, then without A. Ids: A 1→2, A 3→5, B 4→6, A 7→8. */
async function threeReleases() {
  await save("A", ["Show"]);
  await promote();
  await save("A", ["Alert"]);
  await save("B", []);
  await promote();
  await save("A", ["Alert"], { is_deleted: true });
  await promote();
}

describe("GET releases", () => {
  it("L1: lists them newest first, in pages and by kind", async () => {
    await threeReleases();
    const all = await releases();
    expect(all.data.releases.map(({ number, item_count }: any) => [number, item_count])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ]);
    expect(all.data.releases[0]).toMatchObject({
      kind: "direct",
      author: { actor: "admin", display_name: "Ann", display_name_verified: true },
    });
    const first = await releases("?limit=2");
    expect(first.data.next_cursor).toBe(2);
    const rest = await releases("?limit=2&cursor=2");
    expect(rest.data.releases.map(({ number }: any) => number)).toEqual([1]);
    expect(rest.data.next_cursor).toBeNull();
    expect((await releases("?kind=return")).data.releases).toEqual([]);
  });

  it.each([
    ["?limit=0", "limit must be an integer from 1 to 1000"],
    ["?kind=wrong", "kind must be one of release, direct, return, import, first"],
    ["?cursor=x", "cursor must be an integer"],
  ])("refuses %s by name", async (query, message) => {
    expect(await releases(query)).toMatchObject({ status: 400, message });
  });

  it("L1: tells one release with what it changed; unknown numbers are 404, others 400", async () => {
    await threeReleases();
    expect((await release(3)).data.release).toMatchObject({
      number: 3,
      items: [{ family: "group", key: "A", before_id: 5, after_id: null, change: "delete", summary: "deleted" }],
      findings: [],
      reason: null,
      returned_to: null,
    });
    expect(await release(4)).toMatchObject({ status: 404, message: "There is no release 4" });
    expect(await release(0)).toMatchObject({ status: 404 });
    expect(await release("x")).toMatchObject({ status: 400, message: "n must be the number of a release" });
  });
});

describe("GET releases/{n}/diff", () => {
  const show = { path: "rpcs.Show.hmi_levels", before: ["FULL"], after: null };
  const alert = { path: "rpcs.Alert.hmi_levels", before: null, after: ["FULL"] };

  it("L3: without more it tells what the release did", async () => {
    await threeReleases();
    const { items } = (await diff(2)).data;
    expect(items.map(({ key, change }: any) => [key, change])).toEqual([
      ["A", "change"],
      ["B", "add"],
    ]);
    expect(items[0].fields).toEqual([alert, show]);
    expect((await diff(1)).data.items).toMatchObject([{ key: "A", change: "add" }]);
  });

  it("L3: the earlier one is before, whichever is asked for; environments come last", async () => {
    await threeReleases();
    const forth = await diff(3, "?to=1");
    expect((await diff(1, "?to=3")).data).toEqual(forth.data);
    expect(forth.data.items.map(({ key, change }: any) => [key, change])).toEqual([
      ["A", "delete"],
      ["B", "add"],
    ]);
    await save("B", ["Show"]);
    expect((await diff(3, "?to=production")).data.items).toEqual([]);
    expect((await diff(3, "?to=staging")).data.items).toMatchObject([{ key: "B", change: "change" }]);
    expect((await diff(2, "?to=2")).data.items).toEqual([]);
  });

  it("L4: tells what releases did to apps", async () => {
    const old = await storeApp("app", "ACCEPTED", { vendorName: "Before" });
    const now = await storeApp("app", "ACCEPTED", { vendorName: "After" });
    const publish = (beforeId: number, afterId: number) =>
      store(async (tx) => {
        const item = { family: "app", key: "app", beforeId, afterId, change: "change", summary: "" } as const;
        await recordRelease(tx, await beginRelease(tx, "release"), {}, [item]);
      });
    await publish(old, now);
    await publish(now, old);
    expect((await diff(1)).data.items).toMatchObject([{ family: "app", key: "app", change: "change" }]);
    expect((await diff(1)).data.items[0].fields).toContainEqual({
      path: "vendor_name",
      before: "Before",
      after: "After",
    });
    // There and back.
    expect((await diff(2, "?to=0")).status).toBe(404);
    expect((await history("app", "app")).data.versions.map(({ id, release: n }: any) => [id, n])).toEqual([
      [now, 1],
      [old, 2],
    ]);
  });

  it("refuses what is no release, by name", async () => {
    await threeReleases();
    expect(await diff(1, "?to=x")).toMatchObject({
      status: 400,
      message: "to must be the number of a release, production or staging",
    });
    expect(await diff(1, "?to=9")).toMatchObject({ status: 404, message: "There is no release 9" });
    expect((await diff(9)).status).toBe(404);
  });
});

describe("the history of an item", () => {
  it("L13: tells all versions with author, release and what changed", async () => {
    await threeReleases();
    const { versions, next_cursor } = (await history("group", "A")).data;
    expect(next_cursor).toBeNull();
    expect(
      versions.map(({ id, status, release: n, is_deleted, summary }: any) => [id, status, n, is_deleted, summary]),
    ).toEqual([
      [8, "PRODUCTION", 3, true, "deletion published"],
      [7, "STAGING", null, true, "deleted"],
      [5, "PRODUCTION", 2, false, "published"],
      [3, "STAGING", null, false, "+RPC Alert, −RPC Show"],
      [2, "PRODUCTION", 1, false, "published"],
      [1, "STAGING", null, false, "first version"],
    ]);
    expect(versions[0].author).toEqual({ actor: "admin", display_name: "Ann", display_name_verified: true });
    const page = (await history("group", "A", "?limit=2&cursor=7")).data;
    expect([page.versions, page.next_cursor]).toEqual([versions.slice(2, 4), 3]);
    const last = (await history("group", "A", "?limit=6")).data;
    expect([last.versions.length, last.next_cursor]).toEqual([6, null]);
  });

  it("L13: compares any two versions of an item, and none of another", async () => {
    await threeReleases();
    expect((await compare("group", "A", "?from=2&to=5")).data.fields).toEqual([
      { path: "rpcs.Alert.hmi_levels", before: null, after: ["FULL"] },
      { path: "rpcs.Show.hmi_levels", before: ["FULL"], after: null },
    ]);
    expect(await compare("group", "A", "?from=2&to=4")).toMatchObject({
      status: 404,
      message: "The functional group A has no version 4",
    });
    expect(await compare("group", "A", "?from=2")).toMatchObject({
      status: 400,
      message: "to must be the id of a version",
    });
  });

  it("L13: restores an older content as a new staging version", async () => {
    await threeReleases();
    const { status, data } = await restore("group", "A", { id: 2, base_id: 8 });
    expect([status, data]).toEqual([200, { id: 9 }]);
    const restored = await FunctionalGroupModel.findById(9).lean();
    expect(restored).toMatchObject({ status: "STAGING", isDeleted: false, rpcs: [{ name: "Show", levels: ["FULL"] }] });
    expect(restored?.release).toBeUndefined();
    expect(await AuditEventModel.findOne({ action: "groups.save", after: 9 }).lean()).toMatchObject({ before: 8 });
  });

  it("L13: refuses to restore what the newest version says, a deletion, and what is no version", async () => {
    await threeReleases();
    await save("B", ["Show"]);
    await save("B", []);
    const newest = (await history("group", "B")).data.versions[0].id;
    expect(await restore("group", "B", { id: 4 })).toMatchObject({
      status: 409,
      message: "The newest version of the functional group B says the same as version 4",
    });
    expect(await restore("group", "A", { id: 8 })).toMatchObject({
      status: 400,
      message: "Version 8 of the functional group A is its deletion; restore one before it",
    });
    expect(await restore("group", "B", { id: 2 })).toMatchObject({ status: 404 });
    expect(await restore("app", "x", { id: 2 })).toMatchObject({ status: 400 });
    // Somebody else was faster.
    const other = (await history("group", "B")).data.versions[1].id;
    expect(await restore("group", "B", { id: other, base_id: 4 })).toMatchObject({ status: 409 });
    expect((await history("group", "B")).data.versions[0].id).toBe(newest);
  });

  it("L13: the module config is found under any key; what never was is 404", async () => {
    const id = await store((tx) => storeModuleConfig(tx, "STAGING"));
    await store((tx) => storeModuleConfig(tx, "STAGING", { timeoutAfterXSeconds: 90 }));
    expect((await history("module_config", "-")).data.versions.map(({ summary }: any) => summary)).toEqual([
      "timeout after x seconds 60 → 90",
      "first version",
    ]);
    expect((await restore("module_config", "-", { id })).status).toBe(200);
    expect(await history("group", "never")).toMatchObject({
      status: 404,
      message: "The functional group never does not exist",
    });
    expect(await history("wrong", "a")).toMatchObject({ status: 400 });
    expect(itemPath({ family: "group", key: "a/b c" })).toBe("group/a%2Fb%20c");
    expect(itemPath({ family: "module_config", key: "" })).toBe("module_config/-");
  });
});
