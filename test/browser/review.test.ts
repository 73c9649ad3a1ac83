import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { fillDataDir } from "@/test/support/fill";
import { emptyDataDir } from "@/test/support/server";

/* Apps that wait, one after the other. */

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

let apps: App[] = [];
// Twenty apps that wait for review, and nothing else.
beforeAll(async () => {
  apps = (await listApps()).filter((app) => !app.is_blacklisted);
  for (const [index, { id }] of apps.entries()) {
    await call("/applications/action", { id, approval_status: index < 20 ? "PENDING" : "ACCEPTED", force: true });
  }
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

it("L32: twenty apps are looked at and approved with 22 keys, and no click", async () => {
  const { page, goto } = await open();
  await goto("/applications");
  const clicks = await countClicks(page);
  let keys = 0;
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
  };
  await press("v");
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
  expect([keys, await clicks()]).toEqual([22, 0]);
  expect((await listApps()).filter((app) => app.approval_status === "PENDING")).toEqual([]);
});
