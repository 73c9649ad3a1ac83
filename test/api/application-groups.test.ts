import { describe, expect, it } from "vitest";
import * as groups from "@/app/api/v1/applications/groups/route";
import { FunctionalGroupModel } from "@/models/functional-group";
import { fetchQuery, findVersion, raisesRevision, send, setFlags, storeApp } from "@/test/support/applications";
import { withEmptyDatabase } from "@/test/support/database";
import { noGroupFlags, store, storeGroup, storeMessage, storePermission } from "@/test/support/stored-records";

withEmptyDatabase();

const list = async (query = "") => (await fetchQuery(groups.GET, query)).data.groups;
const addGroup = (values: { name: string; [member: string]: unknown }) => store((tx) => storeGroup(tx, values));
const names = async (query = "") => (await list(query)).map((group: any) => group.property_name);

describe("GET applications/groups (5.1)", () => {
  it("has every member", async () => {
    const description = "Parts of the maker";
    const id = await addGroup({ name: "OemDiag", description, isProprietaryGroup: true, userConsentPrompt: "Diag" });
    await store((tx) => storeMessage(tx, "Diag", "STAGING"));
    const at = new Date("2026-01-01T00:00:00.000Z");
    await FunctionalGroupModel.collection.updateOne({ _id: id } as object, { $set: { createdAt: at, updatedAt: at } });
    const app = await storeApp("app-1", "PENDING", { groupGrants: ["OemDiag"] });
    expect(await list(`?app_id=${app}`)).toStrictEqual([
      {
        id,
        property_name: "OemDiag",
        description,
        status: "STAGING",
        user_consent_prompt: "Diag",
        ...{ ...noGroupFlags, is_proprietary_group: true },
        is_deleted: false,
        created_ts: "2026-01-01T00:00:00.000Z",
        updated_ts: "2026-01-01T00:00:00.000Z",
        is_selected: true,
        has_access: true,
      },
    ]);
  });

  it("shows the staging view unless production is asked for, in order of lower-cased names, without deleted groups", async () => {
    await addGroup({ name: "beta", status: "PRODUCTION" });
    await addGroup({ name: "Alpha", status: "PRODUCTION" });
    await addGroup({ name: "Gone", status: "PRODUCTION" });
    await addGroup({ name: "Gone", isDeleted: true });
    const newest = await addGroup({ name: "Alpha" });
    await addGroup({ name: "Carol" });
    expect(await names()).toEqual(["Alpha", "beta", "Carol"]);
    expect(await names("?environment=bogus")).toEqual(["Alpha", "beta", "Carol"]);
    expect((await list())[0].id).toBe(newest);
    expect(await names("?environment=PRODUCTION")).toEqual(["Alpha", "beta", "Gone"]);
  });

  it("filters proprietary groups when asked to", async () => {
    await addGroup({ name: "Oem", isProprietaryGroup: true });
    await addGroup({ name: "Plain" });
    expect(await names("?is_proprietary_group=true")).toEqual(["Oem"]);
    expect(await names("?is_proprietary_group=0")).toEqual(["Plain"]);
    expect(await names()).toEqual(["Oem", "Plain"]);
  });

  it.each(["", "?app_id=0", "?app_id=999", "?app_id=-1"])("gives no access for '%s'", async (query) => {
    await addGroup({ name: "Base", isDefault: true });
    expect(await list(query)).toMatchObject([{ is_selected: false, has_access: false }]);
  });

  it("finding A2, rule F3: gives no access to a group whose prompt is not in the view", async () => {
    const app = await storeApp("app-1", "PENDING");
    await addGroup({ name: "Asking", isDefault: true, userConsentPrompt: "Gone" });
    await addGroup({ name: "Plain", isDefault: true });
    const access = async () => (await list(`?app_id=${app}`)).map((one: any) => one.has_access);
    expect(await access()).toEqual([false, true]);
    await store((tx) => storeMessage(tx, "Gone", "STAGING"));
    expect(await access()).toEqual([true, true]);
  });

  it("knows the access by the rules of the table, whatever the status of the version, and of a blocked app", async () => {
    await addGroup({ name: "Granted", isProprietaryGroup: true });
    await addGroup({ name: "Administrators", isAdministratorGroup: true, rpcs: [] });
    await addGroup({ name: "Module", rpcs: [{ name: "SetInteriorVehicleData", levels: ["FULL"], parameters: [] }] });
    await addGroup({ name: "Other", isProprietaryGroup: true });
    await store((tx) => storePermission(tx, "CLIMATE", "MODULE", ["SetInteriorVehicleData"]));
    const permissions = [{ key: "CLIMATE", hmiLevel: "HMI_FULL" }];
    const app = await storeApp("app-1", "LIMITED", { permissions, groupGrants: ["Granted"] });
    await setFlags("app-1", { isAdministratorApp: true, isBlacklisted: true });
    const found = await list(`?app_id=${app}`);
    expect(found.map((group: any) => [group.property_name, group.has_access, group.is_selected])).toEqual([
      ["Administrators", true, false],
      ["Granted", true, true],
      ["Module", true, false],
      ["Other", false, false],
    ]);
  });
});

describe("PUT applications/groups (5.2)", () => {
  const put = (body: unknown) => send(groups.PUT, body, "PUT");
  const done = { status: 200, message: null, data: {} };

  it("adds and removes a grant of this version, once each", async () => {
    await addGroup({ name: "Oem", isProprietaryGroup: true });
    const id = await storeApp("app-1");
    const grant = { app_id: String(id), is_selected: true, property_name: "Oem" };
    expect(await put(grant)).toEqual(done);
    expect(await findVersion(id)).toMatchObject({ groupGrants: ["Oem"] });
    expect(await raisesRevision(() => put(grant))).toBe(false);
    const next = await storeApp("app-1");
    expect(await findVersion(next)).toMatchObject({ groupGrants: [] });
    expect(await put({ ...grant, is_selected: false })).toEqual(done);
    expect(await findVersion(id)).toMatchObject({ groupGrants: [] });
    expect(await raisesRevision(() => put({ ...grant, is_selected: false }))).toBe(false);
  });

  it("stores a grant of a group that is not proprietary, without effect", async () => {
    await addGroup({ name: "Plain", rpcs: [{ name: "Other", levels: ["FULL"], parameters: [] }] });
    const id = await storeApp("app-1");
    expect(await put({ app_id: id, is_selected: true, property_name: "Plain" })).toEqual(done);
    expect(await list(`?app_id=${id}`)).toMatchObject([{ is_selected: true, has_access: false }]);
  });

  it("is fixed once the version is accepted", async () => {
    await addGroup({ name: "Oem", isProprietaryGroup: true });
    const id = await storeApp("app-1", "ACCEPTED");
    const message = "Group grants of an accepted version are fixed";
    expect(await put({ app_id: id, is_selected: true, property_name: "Oem" })).toMatchObject({ status: 400, message });
    expect(await put({ app_id: id, is_selected: false, property_name: "Oem" })).toMatchObject({ status: 400, message });
  });

  it("knows only stored groups [Δ13], but takes any grant back", async () => {
    const id = await storeApp("app-1", "PENDING", { groupGrants: ["Former"] });
    const message = "Unknown functional group";
    expect(await put({ app_id: id, is_selected: true, property_name: "No" })).toMatchObject({ status: 400, message });
    expect(await put({ app_id: id, is_selected: false, property_name: "Former" })).toEqual(done);
    expect(await findVersion(id)).toMatchObject({ groupGrants: [] });
  });
  it.each([
    [{}, "app_id, is_selected (boolean) and property_name (string) are required"],
    [{ app_id: 12345, is_selected: true, property_name: "x" }, "Unknown application"],
  ])("refuses %j", async (body, message) => expect(await put(body)).toEqual({ status: 400, message, data: {} }));
});
