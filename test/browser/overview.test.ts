import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

/* The first page of the console (`people.md` P18), and what tells pages from one another. */

const { open, server } = withConsole();
const call = async (path: string): Promise<any> => {
  const answer = await fetch(`${server().origin}/api/v1${path}`);
  return ((await answer.json()) as { data: unknown }).data;
};

it("P18: is one screen, and fits on a phone", async () => {
  const { page, goto } = await open({ width: 1280, height: 800 });
  // Notices about the set-up are shown whole once.
  await goto("/");
  await goto("/");
  const main = page.locator("main");
  const bottom = await main
    .getByRole("region")
    .evaluateAll((regions) => Math.max(...regions.map((one) => one.getBoundingClientRect().bottom)));
  expect(bottom).toBeLessThanOrEqual(800);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
});

it("P18: a pending app is reviewed and approved in 3 clicks, as from the list", async () => {
  const { page, goto } = await open();
  const { applications } = await call("/ui/overview");
  const [{ id, name }] = applications;
  await goto("/");
  const clicks = await countClicks(page);
  await page.getByRole("region", { name: "Waiting for you" }).getByRole("link", { name }).click();
  await page.getByRole("region", { name: "Decision" }).getByRole("button", { name: "Approve for production…" }).click();
  await page.getByRole("button", { name: "Approve for production", exact: true }).click();
  await expect
    .poll(async () => (await call(`/applications?id=${id}`)).applications[0].approval_status)
    .toBe("ACCEPTED");
  expect(await clicks()).toBe(3);
  await goto("/");
  const news = page.getByRole("region", { name: "Since yesterday" });
  await news
    .getByText(/^approved .+ for production/)
    .first()
    .waitFor();
});

it("P16: g and a letter lead to the overview and to the reader's own page", async () => {
  const { page, goto } = await open();
  await goto("/releases");
  await page.keyboard.press("g");
  await page.keyboard.press("y");
  await page.getByRole("heading", { level: 1, name: "You" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

it("tab titles name the item before its section", async () => {
  const { page, goto } = await open();
  const titleOf = async (path: string) => {
    await goto(path);
    return page.title();
  };
  expect(await titleOf("/functionalgroups/manage?name=Location-1")).toBe(
    "Location-1 · Functional groups · Policy Server",
  );
  expect(await titleOf("/functionalgroups/manage")).toBe("New functional group · Policy Server");
  expect(await titleOf("/consumermessages/manage?category=Location")).toBe(
    "Location · Consumer messages · Policy Server",
  );
  expect(await titleOf("/policytable?tab=compare")).toBe("Compare · Policy table · Policy Server");
  expect(await titleOf("/releases/1")).toMatch(/^#1.* · Releases · Policy Server$/);
  const [{ params }] = (await call("/vehicle-data?environment=staging")).custom_vehicle_data;
  expect(await titleOf(`/vehicledata/manage?id=${params[0]?.id}`)).toMatch(/^\w+ · Vehicle data · Policy Server$/);
  const [{ id, name }] = (await call("/applications?search=wayfold")).applications;
  expect(await titleOf(`/applications/${id}`)).toBe(`${name} · Applications · Policy Server`);
});

it("L1: the timeline begins at its newest end on a phone", async () => {
  const { page, goto } = await open({ width: 390, height: 844 });
  await goto("/releases");
  const timeline = page.getByRole("region", { name: "Timeline of releases" });
  const { edge, now } = await timeline.evaluate((region) => ({
    edge: region.getBoundingClientRect().right,
    now:
      [...region.querySelectorAll("text")].find((one) => one.textContent === "Now")?.getBoundingClientRect().right ?? 0,
  }));
  expect(now).toBeLessThanOrEqual(edge);
});
