import { beforeEach, describe, expect, it } from "vitest";
import { createDirectoryClient, type DirectoryClient } from "@/lib/apps/directory/client/client";
import { syncCategories, syncPermissions, syncServiceTypes } from "@/lib/apps/directory/lists/list-commands";
import { silentReport, type TaskReport } from "@/lib/platform/process/task-report";
import { readRevision } from "@/lib/platform/db/revision";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { AuditEventModel } from "@/models/audit-event";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";
import { raisesRevision } from "@/test/support/applications";
import { testContext, withEmptyDatabase } from "@/test/support/database";
import { endStubs, envelope, serveHttp, type StubAnswer } from "@/test/support/http-stub";

withEmptyDatabase();
endStubs();

type Answers = Record<"permissions" | "services" | "categories", unknown>;
let answers: Answers;
let answerNext: StubAnswer | null;
let client: DirectoryClient;

beforeEach(async () => {
  answers = { permissions: [], services: [], categories: [] };
  answerNext = null;
  const stub = await serveHttp(({ path }) => {
    if (answerNext !== null) return answerNext;
    if (path.endsWith("/permission"))
      return { body: envelope({ permission_categories: [{ permissions: answers.permissions }] }) };
    if (path.endsWith("/service")) return { body: envelope({ services: answers.services }) };
    return { body: envelope({ categories: answers.categories }) };
  });
  client = createDirectoryClient(
    { baseUrl: stub.url, publicKey: "p", secretKey: "s", rpcSpecUrl: "" },
    { repeatAfterMs: [] },
  );
});

const permission = (key: string, type = "RPC", parents: readonly string[] = [], more = {}) => ({
  key,
  type,
  parent_permissions: parents.map((parent) => ({ key: parent })),
  ...more,
});
const readPermissions = (report: TaskReport = silentReport) => syncPermissions(testContext, client, report);
const stored = async () => {
  const documents = await PermissionModel.find().sort({ name: 1 }).lean();
  return documents.map(({ name, type, parents, isActive }) => [name, type, parents.join(), isActive]);
};
const documents = () => PermissionModel.find().sort({ _id: 1 }).lean();

async function changesNothing(work: () => Promise<unknown>): Promise<void> {
  const before = [await documents(), await ServiceTypeModel.find().lean(), await CategoryModel.find().lean()];
  const events = await AuditEventModel.countDocuments();
  expect(await raisesRevision(work)).toBe(false);
  expect([await documents(), await ServiceTypeModel.find().lean(), await CategoryModel.find().lean()]).toEqual(before);
  expect(await AuditEventModel.countDocuments()).toBe(events);
}

describe("3.4: permissions", () => {
  beforeEach(async () => {
    answers.permissions = [
      permission("gps", "PARAMETER", ["GetVehicleData", "Unknown"]),
      permission("GetVehicleData", "RPC", [], { name: "Get it", function_id: 40 }),
      permission("Show"),
      permission("Odd", "STRANGE"),
      permission("CLIMATE", "MODULE", ["Odd", "GetVehicleData"]),
    ];
    expect(await readPermissions()).toEqual({ listed: 4, added: 4, changed: 0 });
  });

  it("stores those of a known type, and the relations whose parent is known", async () => {
    expect(await stored()).toEqual([
      ["CLIMATE", "MODULE", "GetVehicleData", true],
      ["GetVehicleData", "RPC", "", true],
      ["Show", "RPC", "", true],
      ["gps", "PARAMETER", "GetVehicleData", true],
    ]);
    expect(await PermissionModel.findOne({ name: "GetVehicleData" }).lean()).toMatchObject({
      displayName: "Get it",
      functionId: 40,
      revision: await readRevision(),
    });
    expect(await AuditEventModel.find().lean()).toMatchObject([
      { action: "directory.update", target: "permissions", actor: "admin", after: { added: 4, changed: 0 } },
    ]);
  });

  it("writes nothing and keeps the revision when nothing changed, whatever the order", async () => {
    answers.permissions = (answers.permissions as unknown[]).toReversed();
    await changesNothing(async () => expect(await readPermissions()).toEqual({ listed: 4, added: 0, changed: 0 }));
  });

  it("changes what is reported otherwise, and nothing else; it reaches the compiled policy's snapshot", async () => {
    const before = await documents();
    const loader = createSnapshotLoader();
    const gps = async () => (await loader.load()).permissions.find(({ name }) => name === "gps")?.parents;
    expect(await gps()).toEqual(["GetVehicleData"]);
    answers.permissions = [
      permission("gps", "PARAMETER", ["Show"]),
      permission("GetVehicleData", "RPC", [], { name: "Read it", function_id: null }),
      permission("Show"),
      permission("CLIMATE", "MODULE", ["GetVehicleData"]),
      permission("speed", "PARAMETER", ["GetVehicleData", "gps"]),
    ];
    expect(await readPermissions()).toEqual({ listed: 5, added: 1, changed: 2 });
    const after = await documents();
    expect(after.map(({ _id, name, revision, parents }) => [_id, name, revision, parents.join()])).toEqual([
      [1, "gps", 2, "Show"],
      [2, "GetVehicleData", 2, ""],
      [3, "Show", 1, ""],
      [4, "CLIMATE", 1, "GetVehicleData"],
      [5, "speed", 2, "GetVehicleData,gps"],
    ]);
    expect(after[1]).toMatchObject({ displayName: "Read it", functionId: null });
    expect(after.slice(2, 4)).toEqual(before.slice(2, 4));
    expect(await gps()).toEqual(["Show"]);
  });

  it("keeps those not reported, inactive and without relations, until they are reported again; says what it does", async () => {
    const all = answers.permissions as readonly { key: string }[];
    answers.permissions = all.filter(({ key }) => key !== "gps" && key !== "GetVehicleData");
    await readPermissions();
    expect(await stored()).toEqual([
      ["CLIMATE", "MODULE", "GetVehicleData", true],
      ["GetVehicleData", "RPC", "", false],
      ["Show", "RPC", "", true],
      ["gps", "PARAMETER", "", false],
    ]);
    await changesNothing(readPermissions);
    answers.permissions = all;
    const said: unknown[] = [];
    await readPermissions({ phase: (words) => said.push(words), progress: (...counts) => said.push(counts) });
    expect(said).toEqual(["reading permissions", "storing permissions", [4, 4]]);
    expect(await stored()).toContainEqual(["gps", "PARAMETER", "GetVehicleData", true]);
    expect((await documents()).every(({ isActive }) => isActive)).toBe(true);
  });

  it.each<[string, StubAnswer]>([
    ["a server error", { status: 500 }],
    ["nothing usable", { body: envelope({ permission_categories: [{ permissions: [{}, 5] }] }) }],
  ])("all or nothing: %s changes nothing", async (_, answer) => {
    answerNext = answer;
    await changesNothing(() => expect(readPermissions()).rejects.toMatchObject({ name: "DirectoryFailed" }));
  });

  it("all or nothing: a write that fails undoes those before it", async () => {
    // The second id that will be allotted is taken.
    const taken = { _id: 6, name: "Taken", type: "RPC", revision: 1, isActive: false };
    await PermissionModel.insertMany([taken]);
    answers.permissions = [permission("Alert"), permission("Slider"), permission("Show", "MODULE")];
    await changesNothing(() => expect(readPermissions()).rejects.toThrow());
  });

  it("stores names that only differ in halves of characters once", async () => {
    answers.permissions = [permission("a\ud800"), permission("a\ud801"), permission("Show")];
    await readPermissions();
    expect((await stored()).map(([name]) => name)).toContain("a\ufffd");
    await changesNothing(readPermissions);
  });
});

describe("3.5: service types", () => {
  const service = (name: string, permissions: readonly string[], display_name = name.toLowerCase()) => ({
    name,
    display_name,
    permissions: permissions.map((key) => ({ key })),
  });
  const types = async () =>
    (await ServiceTypeModel.find().sort({ _id: 1 }).lean()).map(({ _id, name, displayName, permissions }) =>
      [_id, name, displayName, ...permissions].join(" "),
    );
  const readServices = () => syncServiceTypes(testContext, client, silentReport);

  it("upserts by name, replaces the links of those reported, and leaves the others alone", async () => {
    answers.services = [service("MEDIA", ["ButtonPress", "B"]), service("WEATHER", []), service("MEDIA", ["Late"])];
    expect(await readServices()).toEqual({ listed: 3, added: 2, changed: 0 });
    expect(await types()).toEqual(["1 MEDIA media ButtonPress B", "2 WEATHER weather"]);

    answers.services = [service("MEDIA", ["B", "C"], "Music"), service("NAVIGATION", ["Way"])];
    expect(await readServices()).toEqual({ listed: 2, added: 1, changed: 1 });
    expect(await types()).toEqual(["1 MEDIA Music B C", "2 WEATHER weather", "3 NAVIGATION navigation Way"]);
    expect(await AuditEventModel.countDocuments({ target: "service types" })).toBe(2);
  });

  it("raises no revision, and writes nothing when nothing changed, whatever the order of links", async () => {
    answers.services = [service("MEDIA", ["A", "B"])];
    // No policy table is made from them.
    expect(await raisesRevision(readServices)).toBe(false);
    answers.services = [service("MEDIA", ["B", "A"])];
    await changesNothing(readServices);
    answerNext = { status: 500 };
    await changesNothing(() => expect(readServices()).rejects.toThrow("status 500"));
  });
});

describe("3.3: categories", () => {
  const category = (id: number, name: string, display_name: string | null = null) => ({ id, name, display_name });
  const categories = async () =>
    (await CategoryModel.find().sort({ _id: 1 }).lean()).map(({ _id, name, displayName }) => [_id, name, displayName]);
  const readCategories = () => syncCategories(testContext, client, silentReport);

  it("upserts by id and removes nothing", async () => {
    answers.categories = [category(2, "MEDIA", "Media"), category(9, "SYSTEM"), category(2, "LATE")];
    expect(await readCategories()).toEqual({ listed: 3, added: 2, changed: 0 });
    answers.categories = [category(9, "SYSTEM", "System"), category(-1, "DEFAULT")];
    expect(await readCategories()).toEqual({ listed: 2, added: 1, changed: 1 });
    expect(await categories()).toEqual([
      [-1, "DEFAULT", null],
      [2, "MEDIA", "Media"],
      [9, "SYSTEM", "System"],
    ]);
  });

  it("writes nothing when nothing changed or the directory fails", async () => {
    answers.categories = [category(2, "MEDIA", "Media")];
    await readCategories();
    await changesNothing(readCategories);
    answerNext = { body: "<html>" };
    await changesNothing(() => expect(readCategories()).rejects.toThrow("JSON object"));
  });
});
