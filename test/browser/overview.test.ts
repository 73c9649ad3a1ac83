import { expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { rpcBody } from "@/test/support/releases";

/* The first page of the console (`people.md` P18), and what tells pages from one another. */

const { open, ask } = withConsole();

it("P18: is one screen", async () => {
  const { page, goto } = await open({ width: 1280, height: 800 });
  // Notices about the set-up are shown whole once.
  await goto("/");
  await goto("/");
  const bottom = await page
    .locator("main")
    .getByRole("region")
    .evaluateAll((regions) => Math.max(...regions.map((one) => one.getBoundingClientRect().bottom)));
  expect(bottom).toBeLessThanOrEqual(800);
});

it("P18: a pending app is reviewed and approved in 3 clicks, as from the list", async () => {
  const { page, goto } = await open();
  const { applications } = await ask("/ui/overview");
  const [{ id, name }] = applications;
  await goto("/");
  const clicks = await countClicks(page);
  await page.getByRole("region", { name: "Waiting for you" }).getByRole("link", { name }).click();
  await page.getByRole("region", { name: "Decision" }).getByRole("button", { name: "Approve for production…" }).click();
  await page.getByRole("button", { name: "Approve for production", exact: true }).click();
  await expect.poll(async () => (await ask(`/applications?id=${id}`)).applications[0].approval_status).toBe("ACCEPTED");
  expect(await clicks()).toBe(3);
});

it("tab titles name the item before its section", async () => {
  const { page, goto } = await open();
  const [{ params }] = (await ask("/vehicle-data?environment=staging")).custom_vehicle_data;
  const [{ id, name }] = (await ask("/applications?search=wayfold")).applications;
  for (const [path, title] of [
    ["/functionalgroups/manage?name=Location-1", /^Location-1 · Functional groups · Policy Server$/],
    ["/functionalgroups/manage", /^New functional group · Policy Server$/],
    ["/consumermessages/manage?category=Location", /^Location · Consumer messages · Policy Server$/],
    ["/policytable?tab=vehicle", /^Vehicle · Policy table · Policy Server$/],
    ["/releases/1", /^#1.* · Releases · Policy Server$/],
    [`/vehicledata/manage?id=${params[0]?.id}`, /^\w+ · Vehicle data · Policy Server$/],
    [`/applications/${id}`, new RegExp(`^${name} · Applications · Policy Server$`)],
  ] as const) {
    await goto(path);
    expect(await page.title()).toMatch(title);
  }
});

it("L1: the timeline begins at its newest end on a phone", async () => {
  for (const name of ["Timed-1", "Timed-2", "Timed-3", "Timed-4", "Timed-5"]) {
    await ask("/groups", { name, is_default: false, rpcs: [rpcBody("Show", ["FULL"])] });
    await ask("/releases", { items: "all" });
  }
  await ask("/groups", { name: "Timed-6", is_default: false, rpcs: [rpcBody("Show", ["FULL"])] });
  await ask("/releases", { items: "all", at: new Date(Date.now() + 2 * 86_400_000).toISOString() });
  const { page, goto } = await open({ width: 390, height: 844 });
  await goto("/releases");
  const { edge, marks } = await page.getByRole("region", { name: "Timeline of releases" }).evaluate((region) => ({
    edge: region.getBoundingClientRect().right,
    marks: [...region.querySelectorAll("a path")].map((mark) => mark.getBoundingClientRect().right),
  }));
  expect(marks.length).toBeGreaterThan(5);
  expect(Math.max(...marks)).toBeLessThanOrEqual(edge);
  expect(Math.min(...marks)).toBeLessThan(0);
});
