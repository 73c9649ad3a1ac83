import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { fillDataDir } from "@/test/support/fill";
import { emptyDataDir } from "@/test/support/server";

/* Decisions about many apps from the list. */

const dataDir = emptyDataDir();
// Before the server: what is asked for last is done first.
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});
const { open, server } = withConsole({
  dataDir: async () => {
    await fillDataDir(dataDir, 54);
    return dataDir;
  },
});

interface App {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly approval_status: string;
  readonly is_blacklisted: boolean;
}

async function call<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${server().origin}/api/v1${path}`, init);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { readonly data: T }).data;
}
const listApps = async () => (await call<{ applications: App[] }>("/applications")).applications;
const decide = ({ id }: App, approval_status: string) => call("/applications/action", { id, approval_status });

let apps: App[] = [];
// Twenty updates that wait for review, and nothing else.
beforeAll(async () => {
  apps = (await listApps()).filter((app) => !app.is_blacklisted);
  for (const [index, app] of apps.entries()) await decide(app, index < 20 ? "PENDING" : "ACCEPTED");
});

const selectPage = (page: Page) => page.getByRole("checkbox", { name: "Select all rows shown" }).click();

describe("bulk: workflows, in pointer actions", () => {
  it("2: approve 20 apps in 4 clicks; one that fails leaves 19, and is offered again; undo of the whole bulk", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    const clicks = await countClicks(page);
    await selectPage(page);
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
    const stored = async (status: string) =>
      (await listApps())
        .filter((app) => apps.slice(0, 20).some(({ id }) => id === app.id))
        .filter((app) => app.approval_status === status).length;
    expect([await stored("ACCEPTED"), await stored("LIMITED")]).toEqual([19, 1]);

    await result.getByRole("button", { name: "Retry 1 failed…" }).click();
    await page.getByRole("alertdialog", { name: "Approve 1 app for production?" }).waitFor();
    await page.getByRole("button", { name: "Approve 1 app for production" }).click();
    await page.getByRole("dialog", { name: "1 app is approved for production" }).waitFor();
    expect(await stored("ACCEPTED")).toBe(20);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Undo all…" }).click();
    await page.getByRole("button", { name: "Revert 1 app" }).click();
    await page.getByRole("dialog", { name: "1 app is as before" }).waitFor();
    expect([await stored("ACCEPTED"), await stored("LIMITED")]).toEqual([19, 1]);
  });

  it("7: stop an app from its row in 3 clicks", async () => {
    const { page, goto } = await open();
    const app = apps.at(-1);
    if (app === undefined) throw new Error("no example apps");
    await goto("/applications?state=accepted&size=100");
    const clicks = await countClicks(page);
    await page.getByRole("button", { name: `Actions for ${app.name}` }).click();
    await page.getByRole("menuitem", { name: "Block…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByLabel(/to go on$/).fill(app.name);
    await question.getByRole("button", { name: "Block without a reason" }).click();
    await page.getByText(`${app.name} is blocked`).waitFor();
    expect(await clicks()).toBe(3);
    expect((await listApps()).find(({ uuid }) => uuid === app.uuid)?.is_blacklisted).toBe(true);
  });
});

it("bulk: all that match, by keys alone, on a phone", async () => {
  const { page, goto } = await open({ width: 390, theme: "dark" });
  await goto("/applications?state=accepted&size=25");
  await page.getByRole("checkbox", { name: "Select all shown" }).click();
  await page.getByRole("button", { name: /^Select all \d+ matching$/ }).press("Enter");
  await page.getByRole("button", { name: "Other decisions" }).press("Enter");
  await page.getByRole("menuitem", { name: "Turn on automatic approval…" }).press("Enter");
  const question = page.getByRole("alertdialog");
  await question.getByRole("region", { name: "Effect on each app" }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
  await page.keyboard.type("production");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("dialog", { name: /approved automatically from the next version on$/ }).waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
});
