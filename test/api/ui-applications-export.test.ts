import { beforeAll, describe, expect, it } from "vitest";
import * as applications from "@/app/api/v1/applications/route";
import * as exported from "@/app/api/v1/ui/applications/export/route";
import { loadConsoleList } from "@/lib/apps/applications/console/console-queries";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import { fetchQuery, setFlags, storeApp } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";
import { forgetSettings, useSettings } from "@/test/support/settings";

withDatabase();
forgetSettings();

const ask = (query = "", headers: Record<string, string> = {}) =>
  exported.GET(aRequest(`/api/v1/ui/applications/export${query}`, { headers }));
async function rowsOf(query: string): Promise<Record<string, string>[]> {
  const [names = [], ...lines] = parseCsv((await (await ask(query)).text()).replace(/^\uFEFF/, ""));
  return lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
}
const namesIn = async (query: string) => (await rowsOf(query)).map(({ name }) => name);

beforeAll(async () => {
  await emptyDatabase();
  const media = { categories: [{ id: 2, name: "MEDIA", displayName: "Media" }], categoryId: 2 };
  await storeApp("app-1", "ACCEPTED", { name: "Old name", ...media });
  await storeApp("app-1", "PENDING", {
    name: "Roadtune",
    vendorName: 'Longwave, "Audio" GmbH',
    versionId: 2,
    ...media,
  });
  await storeApp("app-2", "STAGING", { name: "Harbor", platform: "IOS" });
  await storeApp("app-3", "ACCEPTED", { name: '=HYPERLINK("https://example.com")', platform: "IOS", ...media });
  await storeApp("app-4", "LIMITED", { name: "Parking", denialMessage: "first line\nsecond line" });
  await storeApp("app-5", "LIMITED", { name: "Blocked one" });
  await setFlags("app-5", { isBlacklisted: true });
  await storeApp("app-6", "ACCEPTED", { name: "Blocked two" });
  await setFlags("app-6", { isBlacklisted: true });
});

describe("the file", () => {
  it("is a table by default, to be saved under a name with the date", async () => {
    const response = await ask("?state=all");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="applications-${today}.csv"`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)], "what tells Excel that this is UTF-8").toEqual([0xef, 0xbb, 0xbf]);
  });

  it("has a line for the newest version of each app", async () => {
    const rows = await rowsOf("?state=all&sort=name");
    expect(rows).toHaveLength(6);
    expect(rows.find(({ uuid }) => uuid === "app-1")).toMatchObject({
      uuid: "app-1",
      name: "Roadtune",
      vendor_name: 'Longwave, "Audio" GmbH',
      state: "pending",
      version_id: "2",
      platform: "ANDROID",
      categories: "Media",
      is_administrator_app: "false",
    });
    expect(rows.find(({ name }) => name === "Parking")).toMatchObject({ denial_message: "first line\nsecond line" });
  });

  it("holds no formula that somebody else wrote", async () => {
    expect(await namesIn("?state=accepted")).toEqual([`'=HYPERLINK("https://example.com")`]);
  });

  it("is the records of the API with format=json, permissions included", async () => {
    const response = await ask("?format=json");
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(/\.json"$/);
    const { data } = await fetchQuery(applications.GET, "?approval_status=PENDING");
    const body = await response.json();
    expect(body).toStrictEqual({ applications: data.applications });
    expect(body.applications[0].permissions).toBeDefined();
  });

  it("is well formed when nothing passes the filters", async () => {
    expect(await (await ask("?format=json&q=nothing")).json()).toEqual({ applications: [] });
    expect(await rowsOf("?q=nothing")).toEqual([]);
  });
});

describe("the filters", () => {
  it.each([
    ["", ["Roadtune"]],
    ["?state=all", 6],
    ["?state=review", ["Roadtune"]],
    ["?state=staging", ["Harbor"]],
    ["?state=limited", ["Parking"]],
    ["?state=blocked&sort=name", ["Blocked one", "Blocked two"]],
    ["?platform=IOS&state=staging", ["Harbor"]],
    ["?state=all&category=2&sort=name", [`'=HYPERLINK("https://example.com")`, "Roadtune"]],
    ["?state=all&category=2&q=LONGWAVE", ["Roadtune"]],
    ["?state=all&q=app-4", ["Parking"]],
    ["?state=all&q=Old", []],
    ["?state=blocked&sort=-name", ["Blocked two", "Blocked one"]],
    ["?state=unknown&q=&platform=&category=x&sort=vendor&after=x", ["Roadtune"]],
  ])("%s", async (query, expected) => {
    const names = await namesIn(query);
    expect(typeof expected === "number" ? names.length : names).toEqual(expected);
  });

  it("leads to what the console shows: a value that means nothing counts as absent there, too", async () => {
    const shown = await loadConsoleList(consoleListQuery.parse({ state: "nonsense", platform: "ANDROID" }));
    expect(await namesIn("?state=nonsense&platform=ANDROID")).toEqual(shown.rows.map(({ name }) => name));
  });

  it("refuses a format that it does not have, in the envelope", async () => {
    const response = await ask("?format=xlsx");
    expect(response.status).toBe(400);
    expect((await readAnswer(response)).meta.message).toContain("format");
  });
});

it("0.6: is for administrators", async () => {
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame" });
  expect((await ask()).status).toBe(401);
  expect((await ask("", { "basic-auth-password": "open sesame" })).status).toBe(200);
});
