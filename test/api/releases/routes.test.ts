import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as exportRoute from "@/app/api/v1/releases/[n]/diff/export/route";
import { groupFamily, saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { moduleConfigFamily } from "@/lib/records/module-config/commands";
import { promoteRecords } from "@/lib/releases/publish/promote";
import { beginRelease, recordRelease } from "@/lib/records/publishing/record-release";
import { itemPath } from "@/lib/vocabulary/release-items";
import { AuditEventModel } from "@/models/audit-event";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { storeApp } from "@/test/support/applications";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { rpcBody } from "@/test/support/releases";
import { aRequest } from "@/test/support/requests";
import { callRoute } from "@/test/support/route-calls";
import { store, storeModuleConfig } from "@/test/support/stored-records";

withDatabase();
// Those that write come last, and begin anew.
beforeAll(threeReleases);

const ann = { ...testContext, displayName: "Ann", isNameVerified: true };
const save = (name: string, rpcs: readonly string[], members: object = {}) =>
  saveGroup(
    saveGroupBody.parse({ name, is_default: false, rpcs: rpcs.map((one) => rpcBody(one, ["FULL"])), ...members }),
    ann,
  );
const promote = () => promoteRecords([{ family: groupFamily }, { family: moduleConfigFamily }], { force: true }, ann);

const releases = async (query = "") => (await callRoute("GET /api/v1/releases", { query })).data;
const diff = async (n: number, query = "") =>
  (await callRoute("GET /api/v1/releases/{n}/diff", { params: { n: `${n}` }, query })).data.items;
const history = async (family: string, key: string, query = "") =>
  (await callRoute("GET /api/v1/history/{family}/{key}", { params: { family, key }, query })).data;
const compare = (family: string, key: string, query: string) =>
  callRoute("GET /api/v1/history/{family}/{key}/diff", { params: { family, key }, query });
const restore = (family: string, key: string, body: object) =>
  callRoute("POST /api/v1/history/{family}/{key}/restore", { params: { family, key }, body });

/** A with Show, then A with Alert and B, then without A; B is edited. Ids: A 1→2, A 3→5, B 4→6, A 7→8, B 9. */
async function threeReleases() {
  await save("A", ["Show"]);
  await promote();
  await save("A", ["Alert"]);
  await save("B", []);
  await promote();
  await save("A", ["Alert"], { is_deleted: true });
  await promote();
  await save("B", ["Show"]);
}

describe("GET releases", () => {
  it("L1: lists them newest first, in pages and by kind", async () => {
    const all = await releases();
    expect(all.releases.map(({ number, item_count }: any) => [number, item_count])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ]);
    expect(all.releases[0]).toMatchObject({
      kind: "direct",
      author: { actor: "admin", display_name: "Ann", display_name_verified: true },
    });
    expect((await releases("limit=2")).next_cursor).toBe(2);
    const rest = await releases("limit=2&cursor=2");
    expect(rest.releases.map(({ number }: any) => number)).toEqual([1]);
    expect(rest.next_cursor).toBeNull();
    expect((await releases("kind=return")).releases).toEqual([]);
  });

  it("L1: tells one release with what it changed", async () => {
    const { data } = await callRoute("GET /api/v1/releases/{n}", { params: { n: "3" } });
    expect(data.release).toMatchObject({
      number: 3,
      items: [{ family: "group", key: "A", before_id: 5, after_id: null, change: "delete", summary: "deleted" }],
      findings: [],
      reason: null,
      returned_to: null,
    });
  });
});

describe("GET releases/{n}/diff", () => {
  const show = { path: "rpcs.Show.hmi_levels", before: ["FULL"], after: null };
  const alert = { path: "rpcs.Alert.hmi_levels", before: null, after: ["FULL"] };

  it("L3: without more it tells what the release did", async () => {
    const items = await diff(2);
    expect(items.map(({ key, change }: any) => [key, change])).toEqual([
      ["A", "change"],
      ["B", "add"],
    ]);
    expect(items[0].fields).toEqual([alert, show]);
    expect(await diff(1)).toMatchObject([{ key: "A", change: "add" }]);
  });

  it("L3: the earlier one is before, whichever is asked for; environments come last", async () => {
    const forth = await diff(3, "to=1");
    expect(await diff(1, "to=3")).toEqual(forth);
    expect(forth.map(({ key, change }: any) => [key, change])).toEqual([
      ["A", "delete"],
      ["B", "add"],
    ]);
    expect(await diff(3, "to=production")).toEqual([]);
    expect(await diff(3, "to=staging")).toMatchObject([{ key: "B", change: "change" }]);
    expect(await diff(2, "to=2")).toEqual([]);
  });
});

const exported = (n: number, query: string) =>
  exportRoute.GET(aRequest(`/api/v1/releases/${n}/diff/export?${query}`), { params: Promise.resolve({ n: `${n}` }) });

it("GET releases/{n}/diff/export: is a line for each field in CSV, and the answer of diff in JSON", async () => {
  const csv = await exported(2, "");
  expect([csv.headers.get("content-type"), csv.headers.get("content-disposition")]).toEqual([
    "text/csv; charset=utf-8",
    expect.stringContaining("release-2-diff.csv"),
  ]);
  const [head, ...lines] = (await csv.text()).trim().split("\r\n");
  expect(head).toBe("family,key,name,change,field,before,after");
  expect(lines.slice(0, 2)).toEqual([
    'group,A,A,change,rpcs.Alert.hmi_levels,,"[""FULL""]"',
    'group,A,A,change,rpcs.Show.hmi_levels,"[""FULL""]",',
  ]);
  const json = await exported(3, "to=staging&format=json");
  expect(json.headers.get("content-disposition")).toContain("release-3-to-staging.json");
  expect(await json.json()).toEqual({ items: await diff(3, "to=staging") });
});

describe("the history of an item", () => {
  it("L13: tells all versions with author, release and what changed", async () => {
    const { versions, next_cursor } = await history("group", "A");
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
    const page = await history("group", "A", "limit=2&cursor=7");
    expect([page.versions, page.next_cursor]).toEqual([versions.slice(2, 4), 3]);
    const last = await history("group", "A", "limit=6");
    expect([last.versions.length, last.next_cursor]).toEqual([6, null]);
  });

  it("L13: compares any two versions of an item, and none of another", async () => {
    expect((await compare("group", "A", "from=2&to=5")).data.fields).toEqual([
      { path: "rpcs.Alert.hmi_levels", before: null, after: ["FULL"] },
      { path: "rpcs.Show.hmi_levels", before: ["FULL"], after: null },
    ]);
    expect(await compare("group", "A", "from=2&to=4")).toMatchObject({
      status: 404,
      message: "The functional group A has no version 4",
    });
  });
});

it("L4: tells what releases did to apps", async () => {
  await emptyDatabase();
  const old = await storeApp("app", "ACCEPTED", { vendorName: "Before" });
  const now = await storeApp("app", "ACCEPTED", { vendorName: "After" });
  const publish = (beforeId: number, afterId: number) =>
    store(async (tx) => {
      const item = { family: "app", key: "app", beforeId, afterId, change: "change", summary: "" } as const;
      await recordRelease(tx, await beginRelease(tx, "release"), {}, [item]);
    });
  await publish(old, now);
  await publish(now, old);
  const [item] = await diff(1);
  expect(item).toMatchObject({ family: "app", key: "app", change: "change" });
  expect(item.fields).toContainEqual({ path: "vendor_name", before: "Before", after: "After" });
  expect((await history("app", "app")).versions.map(({ id, release: n }: any) => [id, n])).toEqual([
    [now, 1],
    [old, 2],
  ]);
});

describe("restoring an older version", () => {
  beforeEach(async () => {
    await emptyDatabase();
    await threeReleases();
  });

  it("L13: makes a new staging version of it", async () => {
    const { status, data } = await restore("group", "A", { id: 2, base_id: 8 });
    expect([status, data]).toEqual([200, { id: 10 }]);
    const restored = await FunctionalGroupModel.findById(10).lean();
    expect(restored).toMatchObject({ status: "STAGING", isDeleted: false, rpcs: [{ name: "Show", levels: ["FULL"] }] });
    expect(restored?.release).toBeUndefined();
    expect(await AuditEventModel.findOne({ action: "groups.save", after: 10 }).lean()).toMatchObject({ before: 8 });
  });

  it("L13: refuses what the newest version says, a deletion, what is no version, and what somebody else changed", async () => {
    await save("B", []);
    const [newest, other] = (await history("group", "B")).versions;
    expect(await restore("group", "B", { id: 4 })).toMatchObject({
      status: 409,
      message: "The newest version of the functional group B says the same as version 4",
    });
    expect(await restore("group", "A", { id: 8 })).toMatchObject({
      status: 400,
      message: "Version 8 of the functional group A is its deletion; restore one before it",
    });
    expect(await restore("group", "B", { id: 2 })).toMatchObject({ status: 404 });
    expect(await restore("group", "B", { id: other.id, base_id: 4 })).toMatchObject({ status: 409 });
    expect((await history("group", "B")).versions[0].id).toBe(newest.id);
  });

  it("L13: finds the module config under any key", async () => {
    const id = await store((tx) => storeModuleConfig(tx, "STAGING"));
    await store((tx) => storeModuleConfig(tx, "STAGING", { timeoutAfterXSeconds: 90 }));
    expect((await history("module_config", "-")).versions.map(({ summary }: any) => summary)).toEqual([
      "timeout after x seconds 60 → 90",
      "first version",
    ]);
    const priority = { map: "rpc_priority", name: "UI.Alert", priority: 1 };
    const filled = await store((tx) => storeModuleConfig(tx, "STAGING", { rpcPriorityTable: [priority] }));
    expect((await restore("module_config", "-", { id })).status).toBe(200);
    expect((await history("module_config", "-")).versions[0].summary).toContain("rpc priority table");
    expect((await restore("module_config", "-", { id: filled })).status).toBe(200);
    const [newest] = await ModuleConfigModel.find().sort({ _id: -1 }).lean();
    expect(newest?.rpcPriorityTable).toEqual([priority]);
    expect(itemPath({ family: "group", key: "a/b c" })).toBe("group/a%2Fb%20c");
    expect(itemPath({ family: "module_config", key: "" })).toBe("module_config/-");
  });
});
