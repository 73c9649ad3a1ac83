import { beforeAll, describe, expect, it } from "vitest";
import * as choices from "@/app/api/v1/ui/applications/choices/route";
import {
  countFiltered,
  countStates,
  findFiltered,
  findConsoleIds,
  loadConsoleList,
  loadListChoices,
} from "@/lib/apps/applications/console/console-queries";
import { buildSharedFilter } from "@/lib/apps/applications/console/console-filter";
import { listBlocked } from "@/lib/apps/applications/find-versions";
import { consoleListQuery, exportListQuery } from "@/lib/apps/applications/console/console-schema";
import { setFlags, storeApp, storeServiceType } from "@/test/support/applications";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { store, storeAppVersion, storePermission } from "@/test/support/stored-records";
import { ApplicationModel } from "@/models/application";
import { CategoryModel } from "@/models/directory/category";

withDatabase();

const list = (query: Record<string, string> = {}) => loadConsoleList(consoleListQuery.parse(query));
const namesOf = async (query: Record<string, string>) => (await list(query)).rows.map(({ name }) => name);

describe("tabs", () => {
  beforeAll(async () => {
    await emptyDatabase();
    await storeApp("app-1", "ACCEPTED", { name: "Tune", developerVersion: "1.0" });
    await storeApp("app-1", "PENDING", { name: "Tune", developerVersion: "2.0" });
    await storeApp("app-2", "STAGING", { name: "Navi" });
    await storeApp("app-3", "ACCEPTED", { name: "Chat" });
    await storeApp("app-4", "LIMITED", { name: "Quiz" });
    await storeApp("app-5", "PENDING", { name: "Bad" });
    await storeApp("app-6", "ACCEPTED", { name: "Worse" });
    await setFlags("app-5", { isBlacklisted: true });
    await setFlags("app-6", { isBlacklisted: true });
    // Blocked before it was ever delivered: there is nothing to show.
    await setFlags("app-7", { isBlacklisted: true });
  });

  it("count the newest version of every app; a blocked app only under Blocked and All", async () => {
    const { counts } = await list();
    expect(counts).toEqual({ review: 1, staging: 1, accepted: 1, limited: 1, blocked: 2, all: 6 });
    expect(await namesOf({})).toEqual(["Tune"]);
    expect(await namesOf({ state: "staging" })).toEqual(["Navi"]);
    expect(await namesOf({ state: "accepted" })).toEqual(["Chat"]);
    expect(await namesOf({ state: "limited" })).toEqual(["Quiz"]);
    expect(await namesOf({ state: "blocked", sort: "name" })).toEqual(["Bad", "Worse"]);
    expect(await namesOf({ state: "all", sort: "name" })).toEqual(["Bad", "Chat", "Navi", "Quiz", "Tune", "Worse"]);
  });

  it("count what matches the filters", async () => {
    const { counts } = await list({ q: "AD" });
    expect(counts).toEqual({ review: 0, staging: 0, accepted: 0, limited: 0, blocked: 1, all: 1 });
  });

  it("section 7: an accepted v1 with a pending v2 shows that production serves v1", async () => {
    const { rows } = await list();
    expect(rows[0]).toMatchObject({
      state: "PENDING",
      version: "v2.0",
      production: { label: "v1.0" },
      staging: { label: "v1.0" },
    });
  });

  it("gives a blocked app no live version, whatever was accepted", async () => {
    const { rows } = await list({ state: "blocked", sort: "-name" });
    expect(rows[0]).toMatchObject({ name: "Worse", state: "BLOCKED", production: null, staging: null });
  });
});

describe("a filter that few apps meet", () => {
  const prepare = async (query: Record<string, string>) => {
    const parsed = consoleListQuery.parse(query);
    const blocked = await listBlocked();
    return { parsed, blocked, shared: await buildSharedFilter(parsed, blocked, Date.now()) };
  };

  it.each([{ q: "app" }, { q: "AD" }, { platform: "ANDROID" }, { live: "yes" }, { q: "nothing" }])(
    "counts %j as the tabs are counted one by one",
    async (query) => {
      const { parsed, blocked, shared } = await prepare(query);
      const few = await findFiltered(shared, parsed);
      expect(countFiltered(few ?? [], blocked)).toEqual(await countStates(shared, blocked));
    },
  );

  it("is told from one that many meet, which gives the same list", async () => {
    await store(async (tx) => {
      for (let at = 0; at < 201; at++) await storeAppVersion(tx, `many-${at}`, "LIMITED", { name: `Many ${at}` });
    });
    const { parsed, shared } = await prepare({ q: "many" });
    expect(await findFiltered(shared, parsed)).toBeNull();
    const many = await list({ q: "many", state: "limited", sort: "name", size: "25" });
    expect([many.counts.limited, many.rows[0]?.name, many.rows.length]).toEqual([201, "Many 0", 25]);
    const fewer = await list({ q: "many 1", state: "limited", sort: "name", size: "25" });
    expect([fewer.counts.limited, fewer.rows[0]?.name, fewer.rows.length]).toEqual([111, "Many 1", 25]);
    const next = await list({ q: "many 1", state: "limited", sort: "name", size: "25", after: fewer.next ?? "" });
    expect([next.offset, next.rows.length]).toEqual([25, 25]);
  });
});

describe("rows", () => {
  it("hold what the columns show, and no more of long lists", async () => {
    await emptyDatabase();
    const countries = ["US", "DE", "FR", "AT", "CH", "IT", "ES"].map((iso) => ({ iso, name: iso }));
    const storedAt = new Date("2026-03-01T10:00:00.000Z");
    const values = {
      name: "Tune Harbor",
      vendorName: "Harbor Audio",
      iconUrl: "https://cdn.example.com/i.png",
      categoryId: 7,
      categories: [
        { id: 3, name: "MEDIA", displayName: "Media" },
        { id: 7, name: "INFORMATION", displayName: null },
      ],
      countries,
      encryptionRequired: true,
      storedAt,
      updatedAt: new Date("2026-02-11T16:20:05.000Z"),
    };
    const id = await storeApp("row-app", "PENDING", values);
    await setFlags("row-app", { isAutoApprovedEnabled: true, isAdministratorApp: true });
    expect((await list()).rows).toEqual([
      {
        id,
        uuid: "row-app",
        name: "Tune Harbor",
        vendor: "Harbor Audio",
        iconUrl: "https://cdn.example.com/i.png",
        state: "PENDING",
        version: `#${id}`,
        versionId: id,
        production: null,
        staging: null,
        platform: "ANDROID",
        category: "INFORMATION",
        countries: ["AT", "CH", "DE", "ES", "FR", "IT"],
        countryCount: 7,
        updatedAt: "2026-02-11T16:20:05.000Z",
        waitingSince: "2026-03-01T10:00:00.000Z",
        flags: ["auto", "administrator", "encryption"],
        effect: null,
      },
    ]);
  });

  it("leave out an icon that is a long data address", async () => {
    await storeApp("icon-app", "LIMITED", { iconUrl: `data:image/png;base64,${"A".repeat(3000)}` });
    expect((await list({ state: "limited" })).rows[0]?.iconUrl).toBeNull();
  });
});

describe("search, filters and order", () => {
  beforeAll(async () => {
    await emptyDatabase();
    const media = [{ id: 3, name: "MEDIA", displayName: "Media" }];
    const social = [{ id: 7, name: "SOCIAL", displayName: "Social" }];
    const at = (day: number) => ({ storedAt: new Date(2026, 0, day), updatedAt: new Date(2026, 1, 20 - day) });
    await storeApp("f-1", "PENDING", {
      name: "alpha",
      displayNames: ["Alpha Radio", "Première"],
      platform: "IOS",
      categories: social,
      ...at(3),
    });
    await storeApp("f-2", "PENDING", { name: "Bravo", vendorName: "Wave (Audio)", categories: media, ...at(1) });
    await storeApp("f-3", "PENDING", {
      name: "charlie",
      platform: "CLOUD",
      cloudTransportType: "WSS",
      countries: [{ iso: "DE", name: "Germany" }],
      services: [{ name: "WEATHER", displayName: "Weather", serviceNames: [], selectedPermissions: [] }],
      ...at(2),
    });
    await storeApp("f-4", "ACCEPTED", {
      name: "Delta",
      platform: "EMBEDDED",
      transportType: "webengine",
      encryptionRequired: true,
      permissions: [{ key: "gps", hmiLevel: "HMI_FULL" }],
      ...at(4),
    });
    await setFlags("f-1", { isAutoApprovedEnabled: true });
    await setFlags("f-2", { isAdministratorApp: true });
    await setFlags("f-3", { allowUnknownRpcPassthrough: true });
  });

  it("L31: Needs review begins with what has waited longest while no policy says what apps would gain", async () => {
    expect(await namesOf({})).toEqual(["Bravo", "charlie", "alpha"]);
    expect(await namesOf({ sort: "-waiting" })).toEqual(["alpha", "charlie", "Bravo"]);
  });

  it("orders by lower-cased name and by time", async () => {
    expect(await namesOf({ state: "all", sort: "name" })).toEqual(["alpha", "Bravo", "charlie", "Delta"]);
    expect(await namesOf({ state: "all", sort: "updated" })).toEqual(["Delta", "alpha", "charlie", "Bravo"]);
  });

  it.each([
    [{ q: "wave (audio)" }, ["Bravo"]],
    [{ q: "F-3" }, ["charlie"]],
    // All else that a search looks at: test/unit/apps/applications/search-text.test.ts.
    [{ q: "PREMIÈRE" }, ["alpha"]],
    [{ q: "gps\nshow" }, ["alpha", "Bravo", "charlie", "Delta"]],
    [{ q: ".*" }, []],
    [{ platform: "IOS" }, ["alpha"]],
    [{ category: "7" }, ["alpha"]],
    [{ transport: "WSS" }, ["charlie"]],
    [{ transport: "webengine" }, ["Delta"]],
    [{ country: "DE" }, ["charlie"]],
    [{ perm: "gps" }, ["Delta"]],
    [{ service: "WEATHER" }, ["charlie"]],
    [{ flag: "auto" }, ["alpha"]],
    [{ flag: "administrator" }, ["Bravo"]],
    [{ flag: "passthrough" }, ["charlie"]],
    [{ flag: "encryption" }, ["Delta"]],
    [{ transport: "WSS", platform: "CLOUD", flag: "passthrough" }, ["charlie"]],
    [{ transport: "WSS", platform: "IOS" }, []],
  ])("narrows to %j", async (query, expected) => {
    expect(await namesOf({ state: "all", sort: "name", ...query })).toEqual(expected);
  });

  it("narrows to what the directory changed lately", async () => {
    await storeApp("f-5", "LIMITED", { name: "Echo", updatedAt: new Date(Date.now() - 3 * 86_400_000) });
    await storeApp("f-6", "LIMITED", { name: "Foxtrot", updatedAt: new Date(Date.now() - 20 * 86_400_000) });
    const within = (updated: string) => namesOf({ state: "limited", sort: "name", updated });
    expect(await within("day")).toEqual([]);
    expect(await within("week")).toEqual(["Echo"]);
    expect(await within("month")).toEqual(["Echo", "Foxtrot"]);
    expect(await namesOf({ state: "limited", sort: "-updated", updated: "month" })).toEqual(["Echo", "Foxtrot"]);
    expect(await within("century")).toEqual(["Echo", "Foxtrot"]);
    await ApplicationModel.deleteMany({ uuid: { $in: ["f-5", "f-6"] } });
  });

  it("offers the known permissions and service types and the countries of newest versions", async () => {
    await storeApp("f-1", "PENDING", {
      name: "alpha",
      countries: [
        { iso: "US", name: "" },
        { iso: "nowhere", name: "" },
      ],
    });
    await storeApp("f-1", "PENDING", {
      name: "alpha",
      countries: [
        { iso: "AT", name: "" },
        { iso: "xx!", name: "" },
      ],
    });
    await store(async (tx) => {
      await storePermission(tx, "Show");
      await storePermission(tx, "gps", "PARAMETER");
    });
    await storeServiceType("WEATHER", []);
    const { meta, data } = await readAnswer(await choices.GET(aRequest("/api/v1/ui/applications/choices")));
    expect([meta.code, data]).toEqual([
      200,
      {
        permissions: [
          { name: "gps", type: "PARAMETER" },
          { name: "Show", type: "RPC" },
        ],
        services: [{ name: "WEATHER", display_name: "weather" }],
        countries: [
          { iso: "AT", name: "Austria" },
          { iso: "DE", name: "Germany" },
          { iso: "xx!", name: "xx!" },
        ],
      },
    ]);
  });

  it("offers the platforms in use and the known categories", async () => {
    await CategoryModel.insertMany([{ _id: 3, name: "MEDIA", displayName: "Media" }]);
    expect(await loadListChoices()).toEqual({
      platforms: ["ANDROID", "CLOUD", "EMBEDDED", "IOS"],
      categories: [{ id: 3, name: "Media" }],
    });
  });
});

describe("has a live version (policy-table.md A4)", () => {
  beforeAll(async () => {
    await emptyDatabase();
    await storeApp("l-1", "ACCEPTED", { name: "newest" });
    await storeApp("l-2", "ACCEPTED", { name: "earlier" });
    await storeApp("l-2", "LIMITED", { name: "earlier" });
    await storeApp("l-3", "STAGING", { name: "never" });
    await storeApp("l-4", "ACCEPTED", { name: "blocked" });
    await setFlags("l-4", { isBlacklisted: true });
    await storeApp("l-5", "ACCEPTED", { name: "blocked earlier" });
    await storeApp("l-5", "LIMITED", { name: "blocked earlier" });
    await setFlags("l-5", { isBlacklisted: true });
  });

  it.each([
    [{ live: "yes" }, ["earlier", "newest"]],
    [{ live: "no" }, ["blocked", "blocked earlier", "never"]],
    [{ live: "no", state: "blocked" }, ["blocked", "blocked earlier"]],
    [{ live: "yes", state: "blocked" }, []],
    [{ live: "yes", state: "limited" }, ["earlier"]],
    [{ live: "yes", transport: "none" }, []],
    [{ live: "perhaps" }, ["blocked", "blocked earlier", "earlier", "never", "newest"]],
  ])("narrows to %j, as the rows say", async (query, expected) => {
    const { rows } = await list({ state: "all", sort: "name", ...query });
    expect(rows.map(({ name }) => name)).toEqual(expected);
    if (query.live !== "perhaps")
      expect(rows.every(({ production }) => (production !== null) === (query.live === "yes"))).toBe(true);
  });

  it("counts every tab by it, and exports what is listed", async () => {
    const { counts } = await list({ live: "no" });
    expect(counts).toEqual({ review: 0, staging: 1, accepted: 0, limited: 0, blocked: 2, all: 3 });
    expect(await findConsoleIds(exportListQuery.parse({ state: "all", live: "yes" }))).toHaveLength(2);
  });
});

describe("pages", () => {
  beforeAll(async () => {
    await emptyDatabase();
    // Equal names and times: the id decides.
    await store(async (tx) => {
      for (let index = 0; index < 60; index += 1) {
        const at = new Date(1_700_000_000_000 + Math.floor(index / 7) * 1000);
        const transport = index % 2 === 0 ? { cloudTransportType: "WSS" } : {};
        const values = { name: `App ${index % 5}`, updatedAt: at, storedAt: at, ...transport };
        await storeAppVersion(tx, `page-${index}`, "PENDING", values);
      }
    });
  });

  it.each(["name", "-name", "updated", "-updated", "waiting", "-waiting"])(
    "in order %s together are the whole list, forwards and backwards",
    async (sort) => {
      const whole = await findConsoleIds(consoleListQuery.parse({ sort }));
      expect(whole).toHaveLength(60);
      const first = await list({ sort, size: "25" });
      const second = await list({ sort, size: "25", after: first.next ?? "" });
      const third = await list({ sort, size: "25", after: second.next ?? "" });
      const idsOf = (...pages: (typeof first)[]) => pages.flatMap(({ rows }) => rows.map(({ id }) => id));
      expect(idsOf(first, second, third)).toEqual(whole);
      expect([first.previous, third.next]).toEqual([null, null]);
      expect([first.offset, second.offset, third.offset]).toEqual([0, 25, 50]);

      const back = await list({ sort, size: "25", before: third.previous ?? "" });
      expect([idsOf(back), back.offset]).toEqual([idsOf(second), 25]);
      const start = await list({ sort, size: "25", before: back.previous ?? "" });
      expect([idsOf(start), start.offset, start.previous]).toEqual([idsOf(first), 0, null]);
    },
  );

  it("keep a filter that has alternatives of its own", async () => {
    const first = await list({ transport: "WSS", size: "25" });
    const second = await list({ transport: "WSS", size: "25", after: first.next ?? "" });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([25, 5, null]);
    expect(first.counts.review).toBe(30);
  });

  it("begin anew when the cursor means nothing or its surroundings are gone", async () => {
    expect(await list({ size: "25", after: "bogus" })).toEqual(await list({ size: "25" }));
    const { next } = await list({ size: "25", sort: "name", platform: "ANDROID" });
    const elsewhere = await list({ size: "25", sort: "name", platform: "ANDROID", q: "app 0", after: next ?? "" });
    expect(elsewhere.rows).toHaveLength(12);
    expect(elsewhere.offset).toBe(0);
  });
});
