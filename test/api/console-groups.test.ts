import { describe, expect, it } from "vitest";
import * as groupsRoute from "@/app/api/v1/groups/route";
import { GET as newest } from "@/app/api/v1/ui/records/[family]/route";
import * as exported from "@/app/api/v1/ui/groups/export/route";
import { loadGroupList } from "@/lib/records/groups/console-queries";
import { groupListQuery, groupPageQuery } from "@/lib/records/groups/console-schema";
import { findGroupPage } from "@/lib/records/groups/editor-queries";
import { listUncovered } from "@/lib/records/groups/coverage";
import { send } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { withEmptyDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeGroup, storeMessage, storePermission } from "@/test/support/stored-records";

withEmptyDatabase();

const list = (query: Record<string, string> = {}) => loadGroupList(groupListQuery.parse(query));
const namesOf = async (query: Record<string, string>) => (await list(query)).rows.map(({ name }) => name);
const page = (query: Record<string, string>) => findGroupPage(groupPageQuery.parse(query));
const vehicleData = (name: string, parameters: string[]) => ({ name, levels: ["FULL"], parameters });

describe("list of groups (2.5)", () => {
  it("shows states, counts and prompts as the views have them", async () => {
    await store(async (tx) => {
      await storeMessage(tx, "Location", "STAGING");
      await storeGroup(tx, { name: "Same", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Edited", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Edited", userConsentPrompt: "Location" });
      await storeGroup(tx, { name: "Fresh", userConsentPrompt: "Gone", isDefault: true });
      await storeGroup(tx, { name: "Leaving", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Leaving", isDeleted: true });
      await storeGroup(tx, { name: "Left", status: "PRODUCTION", isDeleted: true });
    });
    const { rows, counts } = await list();
    expect(rows.map(({ name, status, isNew, isDeleted }) => [name, status, isNew, isDeleted])).toEqual([
      ["Edited", "STAGING", false, false],
      ["Fresh", "STAGING", true, false],
      ["Leaving", "STAGING", false, true],
      ["Same", "PRODUCTION", false, false],
    ]);
    expect(counts).toEqual({ all: 4, modified: 3, new: 1, edited: 1, deleted: 1, production: 1 });
    expect(rows.map(({ prompt }) => prompt?.state ?? null)).toEqual(["staging", "missing", null, null]);
    expect(rows[1]).toMatchObject({ grants: ["default"], rpcCount: 1, parameterCount: 0 });
    expect(await namesOf({ environment: "production" })).toEqual(["Edited", "Leaving", "Same"]);
    expect(await namesOf({ state: "modified" })).toEqual(["Edited", "Fresh", "Leaving"]);
  });

  it("sees at once what was saved, promoted and deleted since it last looked", async () => {
    await store((tx) => storeGroup(tx, { name: "A", status: "PRODUCTION" }));
    expect(await namesOf({})).toEqual(["A"]);
    await store((tx) => storeGroup(tx, { name: "A", description: "changed" }));
    expect((await list()).rows[0]).toMatchObject({ description: "changed", status: "STAGING" });
    await store((tx) => storeGroup(tx, { name: "A", status: "PRODUCTION", isDeleted: true }));
    expect(await namesOf({})).toEqual([]);
  });

  it("tells what a search found inside, and orders and pages what passes", async () => {
    await store(async (tx) => {
      for (const name of ["b", "A", "c"]) {
        await storeGroup(tx, { name, rpcs: [vehicleData("GetVehicleData", ["speed", "gps"])] });
      }
      await storeGroup(tx, { name: "Other" });
    });
    const { rows, total } = await list({ q: "SPEED" });
    expect(rows.map(({ name, found }) => [name, found])).toEqual([
      ["A", ["speed"]],
      ["b", ["speed"]],
      ["c", ["speed"]],
    ]);
    expect(total).toBe(3);
    expect(await namesOf({ sort: "-changed" })).toEqual(["Other", "c", "A", "b"]);
    const beyond = await list({ after: "5000" });
    expect(beyond.rows).toHaveLength(4);
    expect(beyond.after).toBe(0);
  });

  it("takes what means nothing in an address for absent", async () => {
    await store((tx) => storeGroup(tx, { name: "A" }));
    const nonsense = { state: "x", grant: "y", level: "z", sort: "w", size: "7", after: "-3", panel: "none" };
    expect(groupListQuery.parse(nonsense)).toEqual(groupListQuery.parse({}));
    expect(await namesOf(nonsense)).toEqual(["A"]);
  });
});

it("unmapped permissions (2.5): tells what is in a group in staging only from what is in none", async () => {
  await store(async (tx) => {
    await storePermission(tx, "Alert");
    await storePermission(tx, "Show");
    await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
    await storeGroup(tx, { name: "New", status: "STAGING" });
  });
  expect((await listUncovered()).map(({ name, parents, isMapped }) => [name, parents, isMapped])).toEqual([
    ["Alert", [], { staging: false, production: false }],
    ["Show", [], { staging: true, production: false }],
    ["gps", ["GetVehicleData"], { staging: false, production: false }],
  ]);
});

const ask = (query: string) => exported.GET(aRequest(`/api/v1/ui/groups/export${query}`));

it("GET ui/groups/export: sends what the filters let pass, as a table and as bodies that a save takes", async () => {
  await store(async (tx) => {
    await storeGroup(tx, {
      name: "A",
      rpcs: [vehicleData("GetVehicleData", ["gps", "speed"]), vehicleData("Show", [])],
    });
    await storeGroup(tx, { name: "B" });
  });
  const lines = parseCsv((await (await ask("?q=speed&format=csv")).text()).replace(/^\uFEFF/, ""));
  expect(lines.map((cells) => [cells[0], ...cells.slice(-3)])).toEqual([
    ["group", "rpc", "hmi_levels", "parameters"],
    ["A", "GetVehicleData", "FULL", "gps; speed"],
    ["A", "Show", "FULL", ""],
  ]);
  const answer = await ask("?format=json");
  expect(answer.headers.get("content-disposition")).toMatch(/functional-groups-staging-.*\.json/);
  const { groups } = await answer.json();
  expect(groups.map(({ name }: any) => name)).toEqual(["A", "B"]);
  expect((await send(groupsRoute.POST, { ...groups[0], name: "C" })).status).toBe(200);
  expect((await ask("?format=xml")).status).toBe(400);
});

describe("GET ui/records/{family}", () => {
  const read = async (query: string, family = "group") => {
    const params = Promise.resolve({ family });
    return readAnswer(await newest(aRequest(`/api/v1/ui/records/${family}${query}`), { params }));
  };

  it("keeps the prompt as stored, also when the view no longer has that message", async () => {
    const old = await store((tx) => storeGroup(tx, { name: "Asks" }));
    const id = await store((tx) => storeGroup(tx, { name: "Asks", userConsentPrompt: "Gone" }));
    const { data } = await read("?key=Asks");
    const body = { name: "Asks", user_consent_prompt: "Gone", is_deleted: false };
    expect(data.record).toMatchObject({ id, key: "Asks", body });
    expect((await read(`?id=${old}`)).data).toEqual(data);
    expect((await read("?key=None")).data).toEqual({ record: null });
    expect((await read("?id=9999")).data).toEqual({ record: null });
    expect((await read("")).meta).toMatchObject({ code: 400, message: "key or id is missing" });
    expect((await read("?id=x")).meta.code).toBe(400);
  });

  it("knows no other families, and nothing of a module config that is not stored", async () => {
    expect((await read("?key=Asks", "app")).meta.code).toBe(400);
    expect((await read("?key=", "module_config")).data).toEqual({ record: null });
  });
});

describe("page of one group (2.6)", () => {
  it("follows the item's own status when the address names no environment", async () => {
    const [promoted, staged] = await store(async (tx) => [
      await storeGroup(tx, { name: "A", status: "PRODUCTION" }),
      await storeGroup(tx, { name: "B" }),
    ]);
    expect(await page({ id: String(promoted) })).toMatchObject({ environment: "production" });
    expect(await page({ id: String(staged) })).toMatchObject({ environment: "staging", isPromoted: false });
    expect(await page({})).toMatchObject({ environment: "staging", group: { id: 0, name: "" } });
  });

  it("leads from older versions and from names to the newest version of the view", async () => {
    const [old, promoted, staged] = await store(async (tx) => [
      await storeGroup(tx, { name: "A" }),
      await storeGroup(tx, { name: "A", status: "PRODUCTION" }),
      await storeGroup(tx, { name: "A" }),
    ]);
    const shown = (id: number, environment: string) => ({ group: { id }, environment });
    expect(await page({ id: String(old) })).toMatchObject(shown(staged, "staging"));
    expect(await page({ name: "A", environment: "production" })).toMatchObject(shown(promoted, "production"));
    expect(await page({ id: String(promoted), environment: "STAGING" })).toMatchObject(shown(staged, "staging"));
  });

  it("knows nothing of ids that are no numbers, unknown ones and promoted deletions", async () => {
    const gone = await store((tx) => storeGroup(tx, { name: "A", status: "PRODUCTION", isDeleted: true }));
    expect(await page({ id: "x" })).toBeNull();
    expect(await page({ id: "9999" })).toBeNull();
    expect(await page({ id: String(gone), environment: "staging" })).toBeNull();
    expect(await page({ name: "None" })).toBeNull();
  });

  it("leads from production to staging what was never promoted", async () => {
    const id = await store((tx) => storeGroup(tx, { name: "A" }));
    expect(await page({ name: "A", environment: "production" })).toMatchObject({
      group: { id },
      environment: "staging",
    });
  });

  it("shows a prompt that is gone, and starts a copy without name and id", async () => {
    const id = await store((tx) => storeGroup(tx, { name: "A", userConsentPrompt: "Gone" }));
    const shown = { group: { user_consent_prompt: "Gone" } };
    expect(await page({ id: String(id), environment: "staging" })).toMatchObject(shown);
    const unsaved = { id: 0, name: "", status: "", is_deleted: false };
    const copy = { group: { ...unsaved, user_consent_prompt: null }, changedAt: null };
    expect(await page({ from: String(id) })).toMatchObject(copy);
  });
});
