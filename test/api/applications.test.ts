import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as applications from "@/app/api/v1/applications/route";
import { ApplicationModel } from "@/models/application";
import { CategoryModel } from "@/models/directory/category";
import { PermissionModel } from "@/models/permission";
import { saveApplicationVersions } from "@/lib/apps/applications/store-version";
import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { fetchQuery, setFlags, storeApp, storeServiceType } from "@/test/support/applications";
import { anApplicationJson } from "@/test/support/application-json";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aDirectoryApplication } from "@/test/support/directory-records";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeAppVersion, storePermission } from "@/test/support/stored-records";

withDatabase();

const list = (query = "") => fetchQuery(applications.GET, query);
const idsOf = ({ data }: Awaited<ReturnType<typeof list>>): number[] =>
  data.applications.map(({ id }: { id: number }) => id);

describe("one record (3.2, 3.3)", () => {
  let id = 0;
  beforeAll(async () => {
    await emptyDatabase();
    await store(async (tx) => {
      await storePermission(tx, "Alert");
      await storePermission(tx, "gps", "PARAMETER", ["GetVehicleData"]);
      await storePermission(tx, "ButtonPress");
    });
    await PermissionModel.updateOne({ name: "ButtonPress" }, { functionId: 41, displayName: "Button Press" });
    await CategoryModel.create({ _id: 2, name: "MEDIA", displayName: "Media" });
    await storeServiceType("MEDIA", ["OnButtonPress", "ButtonPress"]);
    id = await storeApp("7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa", "STAGING", {
      name: "Tune Harbor",
      versionId: 913,
      platformAppId: "com.example.tuneharbor",
      createdAt: new Date("2026-01-04T08:00:00.000Z"),
      updatedAt: new Date("2026-02-11T16:20:05.000Z"),
      canBackgroundAlert: true,
      vendorName: "Harbor Audio",
      vendorEmail: "info@example.com",
      techEmail: "dev@example.com",
      iconUrl: "https://cdn.example.com/i/913.png",
      developerVersion: "5.2.0",
      description: "Streams music.",
      sizeCompressedBytes: 9_007_199_254_740_991,
      categoryId: 2,
      categories: [
        { id: 7, name: "INFO", displayName: "Info" },
        { id: 2, name: "MEDIA", displayName: "Old name" },
      ],
      countries: [
        { iso: "US", name: "United States" },
        { iso: "DE", name: "Germany" },
      ],
      displayNames: ["Tune Harbor", "Harbor"],
      permissions: [
        { key: "gps", hmiLevel: "HMI_FULL" },
        { key: "Alert", hmiLevel: "HMI_BACKGROUND" },
        { key: "Unheard", hmiLevel: null },
      ],
      services: [
        { name: "WEATHER", displayName: "Weather", serviceNames: [], selectedPermissions: [] },
        { name: "MEDIA", displayName: "x", serviceNames: ["b", "a"], selectedPermissions: ["ButtonPress"] },
      ],
    });
  });

  it("has every member of 3.2 and 3.3, in the orders given there", async () => {
    const { data } = await list(`?id=${id}`);
    expect(data).toStrictEqual({
      applications: [
        anApplicationJson({
          id,
          approval_status: "STAGING",
          can_background_alert: true,
          icon_url: "https://cdn.example.com/i/913.png",
          categories: [
            { id: 2, display_name: "Media" },
            { id: 7, display_name: "Info" },
          ],
          countries: [
            { iso: "DE", name: "Germany" },
            { iso: "US", name: "United States" },
          ],
          display_names: ["Tune Harbor", "Harbor"],
          permissions: [
            { key: "Alert", hmi_level: "HMI_BACKGROUND", type: "RPC" },
            { key: "Unheard", hmi_level: null, type: null },
            { key: "gps", hmi_level: "HMI_FULL", type: "PARAMETER" },
          ],
          services: [
            {
              name: "MEDIA",
              display_name: "media",
              service_names: ["a", "b"],
              permissions: [
                {
                  app_id: id,
                  function_id: 41,
                  name: "ButtonPress",
                  display_name: "Button Press",
                  is_selected: true,
                },
                { app_id: id, function_id: null, name: "OnButtonPress", display_name: null, is_selected: false },
              ],
            },
            { name: "WEATHER", display_name: "Weather", service_names: [], permissions: [] },
          ],
          developer_version: "5.2.0",
          size_compressed_bytes: 9_007_199_254_740_991,
        }),
      ],
    });
  });

  it("shows the flags of the app on the record", async () => {
    const at = new Date("2026-03-01T10:00:00.000Z");
    const flags = { isAutoApprovedEnabled: true, isAdministratorApp: true, allowUnknownRpcPassthrough: true };
    const uuid = "7d0c2a54-5b1b-4f5e-9a0f-3c2f6f1c77aa";
    await setFlags(uuid, {
      ...flags,
      isBlacklisted: true,
      blacklistedTs: at,
      hybridAppPreference: "CLOUD",
      priority: "NORMAL",
    });
    expect((await list(`?uuid=${uuid}`)).data.applications).toMatchObject([
      {
        is_auto_approved_enabled: true,
        is_administrator_app: true,
        allow_unknown_rpc_passthrough: true,
        is_blacklisted: true,
        blacklisted_ts: "2026-03-01T10:00:00.000Z",
        hybrid_app_preference: "CLOUD",
        priority: "NORMAL",
      },
    ]);
  });
});

describe("selection (3.1)", () => {
  let ids: Record<"old" | "pending" | "staged" | "banned" | "bannedStaged" | "limited", number>;
  beforeAll(async () => {
    await emptyDatabase();
    const old = await storeApp("app-1", "ACCEPTED");
    const pending = await storeApp("app-1", "PENDING");
    const staged = await storeApp("app-2", "STAGING");
    const banned = await storeApp("app-3", "PENDING");
    const bannedStaged = await storeApp("app-4", "STAGING");
    const limited = await storeApp("app-5", "LIMITED");
    await setFlags("app-3", { isBlacklisted: true });
    await setFlags("app-4", { isBlacklisted: true });
    // Blacklisted before it was ever delivered: there is nothing to show.
    await setFlags("app-6", { isBlacklisted: true });
    ids = { old, pending, staged, banned, bannedStaged, limited };
  });

  it("without a selector: the latest version of every app, blacklisted ones included, ascending id", async () => {
    const all = [ids.pending, ids.staged, ids.banned, ids.bannedStaged, ids.limited];
    expect(idsOf(await list())).toEqual(all);
    expect(idsOf(await list("?approval_status=&get_blacklist="))).toEqual(all);
    expect(idsOf(await list("?get_blacklist=false&unknown=1"))).toEqual(all);
  });

  it("by id: exactly this record, whichever version it is", async () => {
    expect(idsOf(await list(`?id=${ids.old}`))).toEqual([ids.old]);
    expect(idsOf(await list(`?id=${ids.old}&uuid=app-2&approval_status=LIMITED`))).toEqual([ids.old]);
  });

  it("by uuid: the latest version; it goes before status and blacklist", async () => {
    expect(idsOf(await list("?uuid=app-1"))).toEqual([ids.pending]);
    expect(idsOf(await list("?uuid=app-1&approval_status=LIMITED&get_blacklist=true"))).toEqual([ids.pending]);
  });

  it("by status: latest versions with it, without blacklisted apps; an older version does not count", async () => {
    expect(idsOf(await list("?approval_status=PENDING"))).toEqual([ids.pending]);
    expect(idsOf(await list("?approval_status=STAGING"))).toEqual([ids.staged]);
    expect(idsOf(await list("?approval_status=ACCEPTED"))).toEqual([]);
    expect(idsOf(await list("?approval_status=LIMITED"))).toEqual([ids.limited]);
  });

  it("by status and blacklist: both; by blacklist alone: every blacklisted app", async () => {
    expect(idsOf(await list("?approval_status=STAGING&get_blacklist=1"))).toEqual([ids.bannedStaged]);
    expect(idsOf(await list("?get_blacklist=TRUE"))).toEqual([ids.banned, ids.bannedStaged]);
  });

  it.each([
    ...["?id=0", "?id=-3", "?id=99999999999", "?uuid=nobody", `?uuid=${"x".repeat(500)}`, "?uuid=a%00b"],
    "?uuid[$ne]=x&uuid=zz",
  ])("answers an empty list for %s", async (query) => {
    expect(await list(query)).toEqual({ status: 200, message: null, data: { applications: [] } });
  });

  it.each([
    ["?approval_status=bogus", "approval_status has an unknown value"],
    ["?cursor=bogus", "cursor must be the next_cursor of the same list"],
  ])("refuses %s", async (query, message) => expect(await list(query)).toEqual({ status: 400, message, data: {} }));
});

describe("pages, search and order (additions)", () => {
  const names = ["Delta", "alpha", "Charlie", "bravo", "Echo", "alpha"];
  beforeAll(async () => {
    await emptyDatabase();
    for (const [index, name] of names.entries()) {
      const values = { name, vendorName: index === 2 ? "Harbor (Audio) GmbH" : "", updatedAt: new Date(5000 - index) };
      await storeApp(`uuid-${index}`, "PENDING", values);
    }
  });

  async function readPages(query: string): Promise<number[]> {
    const seen: number[] = [];
    for (let cursor = ""; ;) {
      const { data } = await list(`?limit=2&${query}&cursor=${cursor}`);
      expect(data.applications.length).toBeLessThanOrEqual(2);
      seen.push(...idsOf({ data } as never));
      if (data.next_cursor === null) return seen;
      cursor = data.next_cursor;
    }
  }

  it.each(["id", "-id", "name", "-name", "updated_ts", "-updated_ts"])(
    "the pages in order %s together are the whole list",
    async (sort) => {
      const whole = idsOf(await list(`?sort=${sort}`));
      expect(whole).toHaveLength(names.length);
      expect(await readPages(`sort=${sort}`)).toEqual(whole);
    },
  );

  it("orders by lower-cased name, equal ones by id, and by time", async () => {
    const { data } = await list("?sort=name");
    expect(data.applications.map((app: any) => app.name).join(" ")).toBe("alpha alpha bravo Charlie Delta Echo");
    const [first, second] = idsOf({ data } as never);
    expect(first).toBeLessThan(second!);
    expect(idsOf(await list("?sort=-updated_ts"))).toEqual(idsOf(await list("?sort=id")));
  });

  it("tells of no next page when the last one is exactly full", async () => {
    const { data } = await list(`?limit=${names.length}`);
    expect(data.applications).toHaveLength(names.length);
    expect(data.next_cursor).toBeNull();
    expect((await list("?uuid=uuid-1&limit=5")).data).toMatchObject({ next_cursor: null, applications: [{}] });
  });

  it("has no next_cursor when no limit is given", async () =>
    expect((await list()).data).not.toHaveProperty("next_cursor"));

  it("searches name, uuid and vendor as text, ignoring case", async () => {
    const found = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).data.applications.map((app: any) => app.name);
    expect(await found("ALPH")).toEqual(["alpha", "alpha"]);
    expect(await found("uuid-3")).toEqual(["bravo"]);
    expect(await found("harbor (audio)")).toEqual(["Charlie"]);
    expect(await found(".*")).toEqual([]);
    expect(await found("(((")).toEqual([]);
    expect(await found("[$ne]")).toEqual([]);
  });
});

describe("a long list", () => {
  beforeEach(() => emptyDatabase());

  it("is the same envelope when it is sent in pieces, several batches long", async () => {
    const undecided = { isBlacklisted: false, isAutoApprovedEnabled: false, autoApproveAllApps: false };
    const defaults = { ...undecided, encryptionRequired: false };
    const version = (index: number) => {
      const record = aDirectoryApplication({ uuid: `many-${index}`, name: `"App" \u2028 ${index}` });
      return buildApplicationVersion(directoryApplication.parse(record), {
        defaults,
        serviceTypes: [],
        now: new Date(),
      });
    };
    await store(async (tx) => {
      for (let index = 0; index < 250; index += 1) await saveApplicationVersions(tx, [version(index)]);
    });
    const { data } = await readAnswer(await applications.GET(aRequest("/api/v1/applications")));
    expect(data.applications).toHaveLength(250);
    expect(data.applications[249].name).toBe('"App" \u2028 249');
  });

  it("leaves out an app that is deleted while the list is being sent", async () => {
    await store(async (tx) => {
      for (let index = 0; index < 250; index += 1) await storeAppVersion(tx, `gone-${index}`, "PENDING");
    });
    const response = await applications.GET(aRequest("/api/v1/applications"));
    await ApplicationModel.deleteOne({ uuid: "gone-249" });
    expect((await readAnswer(response)).data.applications).toHaveLength(249);
  });
});
