import { describe, expect, it } from "vitest";
import * as search from "@/app/api/v1/ui/search/route";
import type { SearchAnswer } from "@/app/_search/schema";
import { findBestApplications } from "@/app/_search/queries";
import { fetchQuery, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { store, storeGroup, storeMessage, storePermission, storeVehicleData } from "@/test/support/stored-records";

withEmptyDatabase();

const ask = (q: string) => fetchQuery(search.GET, `?q=${encodeURIComponent(q)}`);
const find = async (q: string): Promise<SearchAnswer> => (await ask(q)).data;
const reading = (...parameters: string[]) => [{ name: "GetVehicleData", levels: ["FULL"], parameters }];

describe("GET ui/search: what is asked", () => {
  it.each([
    ["nothing", ""],
    ["no text", "?q="],
    ["spaces", "?q=%20%20"],
    ["too much", `?q=${"a".repeat(101)}`],
    ["control characters", "?q=a%00b"],
  ])("0.5: %s is refused, and the field named", async (_, query) => {
    const { status, message } = await fetchQuery(search.GET, query);
    expect(status).toBe(400);
    expect(message).toMatch(/^q /);
  });

  it("takes 100 characters and trims", async () => {
    await store((tx) => storeGroup(tx, { name: "Base-4" }));
    expect((await ask("a".repeat(100))).status).toBe(200);
    expect((await find("  base-4 ")).groups.items.map(({ name }) => name)).toEqual(["Base-4"]);
  });
});

describe("GET ui/search: what is found (1.2)", () => {
  it("groups by name before description, deletions that wait included, those promoted not", async () => {
    await store(async (tx) => {
      await storeGroup(tx, { name: "Other", description: "reads the speed" });
      await storeGroup(tx, { name: "Overspeed" });
      await storeGroup(tx, { name: "Speed", status: "PRODUCTION" });
      await storeGroup(tx, { name: "Speed", isDeleted: true });
      await storeGroup(tx, { name: "Speedy", status: "PRODUCTION", isDeleted: true });
    });
    const { groups } = await find("speed");
    expect(groups.items.map(({ name, is_deleted }) => [name, is_deleted])).toEqual([
      ["Speed", true],
      ["Overspeed", false],
      ["Other", false],
    ]);
  });

  it("messages by category, vehicle data by name and key at any depth", async () => {
    const id = await store(async (tx) => {
      await storeMessage(tx, "SpeedPrompt", "STAGING");
      return storeVehicleData(tx, "cabin", "STAGING");
    });
    expect((await find("prompt")).records).toEqual([{ family: "message", items: [{ key: "SpeedPrompt" }], total: 1 }]);
    const inner = { root_id: id, name: "inner", key: "I", path: "cabin.outer.inner" };
    expect((await find("INNER")).vehicle_data).toMatchObject({ items: [inner], total: 1 });
    expect((await find("oem")).vehicle_data.items).toMatchObject([{ id, name: "cabin" }]);
  });

  it("a parameter with its groups and the apps that request it", async () => {
    await store(async (tx) => {
      await storePermission(tx, "GetVehicleData");
      await storePermission(tx, "speed", "PARAMETER", ["GetVehicleData"]);
      await storePermission(tx, "wheelSpeed", "PARAMETER", ["GetVehicleData"]);
      for (let at = 1; at <= 8; at++) await storeGroup(tx, { name: `Holds-${at}`, rpcs: reading("speed", "gps") });
      await storeGroup(tx, { name: "Without", rpcs: reading("gps") });
    });
    const permissions = [{ key: "speed", hmiLevel: "HMI_FULL" }];
    await storeApp("one", "ACCEPTED", { permissions });
    await storeApp("two", "PENDING", { permissions });
    await storeApp("three", "ACCEPTED", { permissions });
    await storeApp("three", "PENDING");
    const { permissions: found, groups, applications } = await find("Speed");
    expect(found.items.map(({ name }) => name)).toEqual(["speed", "wheelSpeed"]);
    expect(found.items[0]).toMatchObject({ type: "PARAMETER", parents: ["GetVehicleData"], application_total: 2 });
    expect(found.items[0]?.groups.total).toBe(8);
    expect(found.items[0]?.groups.items.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((at) => `Holds-${at}`));
    expect(found.items[1]).toMatchObject({ groups: { items: [], total: 0 }, application_total: 0 });
    expect(groups.items).toEqual([]);
    expect(applications.total).toBe(2);
  });

  it("counts requests anew after a change", async () => {
    await store((tx) => storePermission(tx, "Alert"));
    expect((await find("alert")).permissions.items[0]?.application_total).toBe(0);
    await storeApp("one", "ACCEPTED", { permissions: [{ key: "Alert", hmiLevel: "HMI_FULL" }] });
    expect((await find("alert")).permissions.items[0]?.application_total).toBe(1);
  });

  it("sees at once what was saved and deleted since it last looked", async () => {
    const names = async () => (await find("look")).groups.items.map(({ name }) => name);
    await store((tx) => storeGroup(tx, { name: "Look", status: "PRODUCTION" }));
    expect(await names()).toEqual(["Look"]);
    await store((tx) => storeGroup(tx, { name: "Look-2" }));
    expect(await names()).toEqual(["Look", "Look-2"]);
    await store((tx) => storeGroup(tx, { name: "Look", status: "PRODUCTION", isDeleted: true }));
    expect(await names()).toEqual(["Look-2"]);
  });

  it("parameters that only custom vehicle data and groups name", async () => {
    await store(async (tx) => {
      await storeVehicleData(tx, "cabin", "STAGING");
      await storeGroup(tx, { name: "Old", rpcs: reading("cabinet") });
    });
    const { permissions } = await find("cabin");
    expect(permissions.items.map(({ name, type, parents }) => [name, type, parents.length])).toEqual([
      ["cabin", "PARAMETER", 4],
      ["cabinet", "PARAMETER", 1],
    ]);
  });

  it("at most six of a kind, and how many there are", async () => {
    await store(async (tx) => {
      for (let at = 1; at <= 9; at++) await storeGroup(tx, { name: `Base-${at}` });
    });
    const { groups } = await find("base");
    expect(groups.items.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6].map((at) => `Base-${at}`));
    expect(groups.total).toBe(9);
  });
});

describe("GET ui/search: apps", () => {
  const named = (uuid: string, name: string, more: Record<string, unknown> = {}) =>
    storeApp(uuid, "ACCEPTED", { name, ...more });

  it("finds what their list finds, names first, then vendors, with their states", async () => {
    await named("11111111", "Other", { vendorName: "Roadtune Inc" });
    await named("22222222", "My Road");
    await named("33333333", "Road");
    await setFlags("33333333", { isBlacklisted: true });
    const { applications } = await find("road");
    expect(applications.total).toBe(3);
    expect(applications.items.map(({ name, vendor, state }) => [name, vendor, state])).toEqual([
      ["Road", "", "BLOCKED"],
      ["My Road", "", "ACCEPTED"],
      ["Other", "Roadtune Inc", "ACCEPTED"],
    ]);
    expect((await find("22222222")).applications.items.map(({ name }) => name)).toEqual(["My Road"]);
  });

  it("finds a name among more than it can look at", async () => {
    for (let at = 0; at < 5; at++) await named(`app-${at}`, `A ${at}`, { vendorName: "road" });
    await named("wanted", "Road");
    const { items, total } = await findBestApplications("road", 3, 2);
    expect(total).toBeNull();
    expect(items[0]?.name).toBe("Road");
    expect(items).toHaveLength(3);
  });
});
