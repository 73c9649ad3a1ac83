import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { fillDataDir } from "@/test/support/fill";
import { emptyDataDir } from "@/test/support/server";

const dataDir = emptyDataDir();
// Before the server: what is asked for last is done first.
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});
const { open, ask } = withConsole({
  dataDir: async () => {
    await fillDataDir(dataDir, 54);
    return dataDir;
  },
});

interface App {
  readonly id: number;
  readonly name: string;
  readonly approval_status: string;
  readonly is_blacklisted: boolean;
}

const listApps = async (): Promise<readonly App[]> => (await ask("/applications")).applications;
const decide = ({ id }: App, approval_status: string) =>
  ask("/applications/action", { id, approval_status, force: true });

let apps: readonly App[] = [];
beforeEach(async () => {
  apps = (await listApps()).filter((app) => !app.is_blacklisted);
  for (const [index, app] of apps.entries()) {
    const wanted = index < 20 ? "PENDING" : "ACCEPTED";
    if (app.approval_status !== wanted) await decide(app, wanted);
  }
});

it("bulk: 2: approve 20 apps in 4 clicks; one that fails leaves 19", async () => {
  const { page, goto } = await open();
  await goto("/applications");
  const clicks = await countClicks(page);
  await page.getByRole("checkbox", { name: "Select all rows shown" }).click();
  await page.getByRole("button", { name: "Approve for production…" }).click();
  const question = page.getByRole("alertdialog", { name: "Approve 20 apps for production?" });
  const effect = question.getByRole("region", { name: "Effect on each app" });
  await effect.waitFor();
  expect(await effect.getByRole("row").count()).toBe(21);
  await expectNoViolations(page);
  const [first] = apps;
  if (first === undefined) throw new Error("no example apps");
  // Somebody else decides while the effect is read.
  await decide(first, "LIMITED");
  await question.getByLabel("Type production to go on").waitFor();
  await page.keyboard.type("production");
  await question.getByRole("button", { name: "Approve 20 apps for production" }).click();
  const result = page.getByRole("dialog", { name: "1 of 20 failed" });
  await result.getByText("19 apps are approved for production.").waitFor();
  expect(await clicks()).toBeLessThanOrEqual(4);
  const [, failure] = await result.getByRole("row").allInnerTexts();
  expect(failure).toContain(first.name);
  expect(failure).toContain("Somebody has changed it in the meantime: it is limited now.");
  await expectNoViolations(page);
  const chosen = (await listApps()).filter(({ id }) => apps.slice(0, 20).some((app) => app.id === id));
  const statuses = chosen.map(({ approval_status }) => approval_status).toSorted();
  expect(statuses).toEqual([...Array<string>(19).fill("ACCEPTED"), "LIMITED"]);
});

it("bulk: all that match, by keys alone, on a phone", async () => {
  const { page, goto } = await open({ width: 390, theme: "dark" });
  await goto("/applications?state=accepted&size=25");
  await page.getByRole("checkbox", { name: "Select all shown" }).click();
  await page.getByRole("button", { name: /^Select all \d+ matching$/ }).press("Enter");
  await page.getByRole("button", { name: "Other decisions" }).press("Enter");
  await page.getByRole("menuitem", { name: "Turn on automatic approval…" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("region", { name: "Effect on each app" }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
  await page.keyboard.type("production");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: /approved automatically from the next version on$/ }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
});

it("L32: the panel fits a phone, and helps who cannot see it", async () => {
  for (const width of [1280, 390]) {
    const { page, goto } = await open({ width });
    await goto("/applications");
    await page.getByRole("button", { name: "Review", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScrolling(page);
  }
});

it("L32: twenty apps are looked at and approved with one click and 21 keys", async () => {
  const { page, goto } = await open();
  await goto("/applications");
  const clicks = await countClicks(page);
  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  await page.getByRole("button", { name: "Review", exact: true }).click();
  const panel = page.getByRole("dialog");
  for (let at = 1; at <= 20; at++) {
    await panel.getByText(new RegExp(`^${at} of 20`)).waitFor();
    await panel.getByRole("heading", { name: "What an approval changes in production" }).waitFor();
    await press("1");
  }
  const question = page.getByRole("alertdialog", { name: "Approve 20 apps for production?" });
  await question.getByRole("region", { name: "Effect on each app" }).waitFor();
  await question.getByText(/^In production: /).waitFor();
  await press("Control+Enter");
  await page.getByRole("dialog", { name: "20 apps are approved for production" }).waitFor();
  expect([keys, await clicks()]).toEqual([21, 1]);
  expect((await listApps()).filter((app) => app.approval_status === "PENDING")).toEqual([]);
});
