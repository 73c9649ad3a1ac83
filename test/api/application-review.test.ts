import { describe, expect, it, onTestFinished } from "vitest";
import * as action from "@/app/api/v1/applications/action/route";
import * as preview from "@/app/api/v1/ui/applications/bulk/preview/route";
import * as review from "@/app/api/v1/ui/applications/review/route";
import type { BulkPreviewAnswer } from "@/lib/apps/applications/bulk/answer-schema";
import type { ReviewJson } from "@/lib/apps/applications/console/effect-schema";
import { findConsoleIds, loadConsoleList } from "@/lib/apps/applications/console/console-queries";
import { consoleListQuery, listSelection } from "@/lib/apps/applications/console/console-schema";
import { compareByArea, describeArea } from "@/lib/policy/effect/rights-by-area";
import { permitsOfBuilds, carsOf, readPermitTable } from "@/lib/policy/permits/car";
import { readCarSettings, restrictionOf } from "@/lib/policy/permits/conditions";
import { findServices, shareServices } from "@/lib/policy/services";
import { requirePolicy } from "@/lib/policy/status";
import { carBuilds } from "@/lib/vocabulary/head-units";
import { answerText, shortenedTable } from "@/test/support/answers";
import { withApi } from "@/test/support/api";
import { fetchQuery, send, setFlags, storeApp } from "@/test/support/applications";
import { ApplicationModel } from "@/models/application";
import { store, storeAppVersion } from "@/test/support/stored-records";

withApi();

const list = (query: Record<string, string> = {}) => loadConsoleList(consoleListQuery.parse(query));
const read = (id: number): Promise<{ status: number; data: ReviewJson }> => fetchQuery(review.GET, `?id=${id}`);
async function served(uuid: string) {
  const policy = await requirePolicy("production");
  const table = JSON.parse(answerText(policy, shortenedTable({ [uuid]: {} }, true))).data[0].policy_table;
  const entry = table.app_policies[uuid];
  const own = entry === "default" ? table.app_policies.default : entry;
  const permits = permitsOfBuilds(carsOf(readPermitTable(table)), own.groups);
  const types = own.AppHMIType;
  return {
    types,
    permits: (registered: unknown) =>
      restrictionOf({ ...own, AppHMIType: types ?? registered }, readCarSettings(table)).restrict(permits),
  };
}

describe("GET ui/applications/review", () => {
  it("L30: tells of every app that waits what the served tables say once it is approved; the list says the same", async () => {
    await findServices()?.runtime.caughtUp();
    const { rows, sort } = await list({ size: "100" });
    expect(sort).toBe("-risk");
    expect(rows.length).toBeGreaterThan(2);
    let gained = 0;
    for (const { id, uuid, effect } of rows) {
      const { status, data } = await read(id);
      expect([status, data.effect]).toEqual([200, effect]);
      const before = await served(uuid);
      expect((await send(action.POST, { id, approval_status: "ACCEPTED", force: true })).status).toBe(200);
      const after = await served(uuid);
      const areas = compareByArea(before.permits(after.types), after.permits(before.types), carBuilds);
      expect(data.effect?.areas).toEqual(
        areas.map((one) => ({ area: one.area, kind: one.kind, text: describeArea(one), short: describeArea(one, 1) })),
      );
      gained += areas.length;
    }
    expect(gained).toBeGreaterThan(0);
  });

  it.each([
    ["stage", "PENDING", "staging", "gained"],
    ["limit", "STAGING", "staging", "lost"],
    ["accept", "STAGING", "production", "gained"],
    ["stage", "ACCEPTED", "production", "lost"],
  ] as const)("L30: %s of many apps that are %s tells what %s changes", async (decision, status, environment, kind) => {
    const permissions = [{ key: "gps", hmiLevel: "HMI_FULL" }];
    const uuid = `placed-${decision}-${status}`;
    await storeApp(uuid, status, { permissions });
    await findServices()?.runtime.caughtUp();
    const { data }: { data: BulkPreviewAnswer } = await send(preview.POST, { decision, uuids: [uuid] });
    const location = expect.objectContaining({ area: "location", kind });
    expect(data.apps).toMatchObject([{ environment, rights: { areas: expect.arrayContaining([location]) } }]);
  });

  it("L31: begins with what would gain most, in pages that together are the whole list", async () => {
    const asking = (...keys: string[]) => ({ permissions: keys.map((key) => ({ key, hmiLevel: "HMI_FULL" })) });
    const ids = [
      await storeApp("risk-none", "PENDING", { name: "None" }),
      await storeApp("risk-fuel", "PENDING", { name: "Fuel", ...asking("fuelLevel") }),
      await storeApp("risk-gps", "PENDING", { name: "Position", ...asking("gps") }),
    ];
    await findServices()?.runtime.caughtUp();
    const { rows } = await list({ q: "risk-" });
    expect(rows.map(({ name }) => name)).toEqual(["Position", "Fuel", "None"]);
    expect(rows[0]?.effect?.areas[0]).toMatchObject({ area: "location", kind: "gained" });
    const reversed = (await list({ q: "risk-", sort: "risk" })).rows;
    expect(reversed.map(({ name }) => name)).toEqual(["None", "Fuel", "Position"]);
    // The order of other tabs is by what is known of them.
    expect((await list({ state: "all", sort: "-risk" })).sort).toBe("-updated");
    await store(async (tx) => {
      const values = (at: number) => (at % 3 === 0 ? asking("gps") : {});
      for (let at = 0; at < 60; at++) await storeAppVersion(tx, `risk-page-${at}`, "PENDING", values(at));
    });
    await findServices()?.runtime.caughtUp();
    const first = await list({ q: "risk-", size: "25" });
    const second = await list({ q: "risk-", size: "25", after: first.next ?? "" });
    const third = await list({ q: "risk-", size: "25", after: second.next ?? "" });
    const all = [first, second, third].flatMap((page) => page.rows.map(({ id }) => id));
    expect([all.length, new Set(all).size, third.next]).toEqual([63, 63, null]);
    expect([first.offset, second.offset, third.offset]).toEqual([0, 25, 50]);
    const back = await list({ q: "risk-", size: "25", before: third.previous ?? "" });
    expect(back.rows.map(({ id }) => id)).toEqual(second.rows.map(({ id }) => id));
    expect(all.indexOf(ids[2] ?? 0)).toBeLessThan(21);
  });

  it("L32: shows a blocked app, its prompts in the words of head units, and the difference to what it had", async () => {
    const id = await storeApp("reviewed", "PENDING", {
      name: "Seen $&",
      permissions: [{ key: "gps", hmiLevel: "HMI_FULL" }],
    });
    await setFlags("reviewed", { isBlacklisted: true });
    await findServices()?.runtime.caughtUp();
    const { data } = await read(id);
    expect(data).toMatchObject({ application: { id, is_blacklisted: true }, baseline: null, effect: null });
    await setFlags("reviewed", { isBlacklisted: false });
    await findServices()?.runtime.caughtUp();
    const { data: open } = await read(id);
    expect(open.effect?.asked.map(({ group }) => group)).toEqual(open.prompts.map(({ group }) => group));
    for (const { title, text } of open.prompts) expect(title + text).not.toContain("%appName%");
    expect(open.changes[0]).toMatchObject({ title: "Location and routes" });
    expect(open.groups.length).toBeGreaterThan(0);
  });

  it("L31: orders however many apps wait, and lists those that would gain something in one area", async () => {
    const permissions = [{ key: "gps", hmiLevel: "HMI_FULL" }];
    const first = await ApplicationModel.findById(await storeApp("many", "PENDING", { permissions })).lean();
    const others = Array.from({ length: 1_200 }, (_, at) => ({ ...first, _id: 500_000 + at, uuid: `many-${at}` }));
    await ApplicationModel.insertMany(others);
    await storeApp("many-without", "PENDING");
    await findServices()?.runtime.caughtUp();
    const all = await list({ q: "many" });
    expect([all.sort, all.counts.review, all.rows[0]?.effect?.areas[0]?.area]).toEqual(["-risk", 1_202, "location"]);
    expect((await list({ q: "many", sort: "risk" })).rows[0]?.uuid).toBe("many-without");
    const gaining = await list({ q: "many", gains: "location" });
    expect([gaining.counts.review, gaining.counts.all, gaining.counts.accepted]).toEqual([1_201, 1_201, 0]);
    expect((await list({ q: "many", gains: "control" })).rows).toEqual([]);
    expect(await findConsoleIds(listSelection.parse({ q: "many", gains: "location" }))).toHaveLength(1_201);
    await ApplicationModel.deleteMany({ _id: { $gte: 500_000 } });
  });

  it("L31: begins with what has waited longest while no policy is in service, and knows of nobody what they gain", async () => {
    const services = findServices();
    onTestFinished(() => shareServices(services));
    shareServices(null);
    const { rows, sort } = await list();
    expect([sort, rows.length > 1]).toEqual(["waiting", true]);
    expect(rows.map(({ waitingSince }) => waitingSince)).toEqual(rows.map(({ waitingSince }) => waitingSince).sort());
    expect((await list({ gains: "location" })).counts.all).toBe(0);
  });

  it("refuses what names no version", async () => {
    expect(await fetchQuery(review.GET, "")).toMatchObject({ status: 400, message: "id is required" });
    expect((await fetchQuery(review.GET, "?id=x")).status).toBe(400);
    expect((await fetchQuery(review.GET, "?id=999999")).status).toBe(404);
  });
});
