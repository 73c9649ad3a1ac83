import { beforeAll, describe, expect, it } from "vitest";
import * as applications from "@/app/api/v1/applications/route";
import * as exported from "@/app/api/v1/ui/applications/export/route";
import { fetchQuery, setFlags, storeApp } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest, readAnswer } from "@/test/support/requests";

withDatabase();

const ask = (query = "") => exported.GET(aRequest(`/api/v1/ui/applications/export${query}`));
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

describe("the filters of the list (console-applications.test.ts)", () => {
  it.each([
    ["", ["Roadtune"]],
    ["?state=blocked&sort=-name", ["Blocked two", "Blocked one"]],
    ["?state=all&category=2&q=LONGWAVE", ["Roadtune"]],
    ["?state=unknown&q=&platform=&category=x&sort=vendor&after=x", ["Roadtune"]],
  ])("%s", async (query, expected) => expect(await namesIn(query)).toEqual(expected));

  it("refuses a format that it does not have, in the envelope", async () => {
    const response = await ask("?format=xlsx");
    expect(response.status).toBe(400);
    expect((await readAnswer(response)).meta.message).toContain("format");
  });
});
