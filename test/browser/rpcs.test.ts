import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { tabTo, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

/* Pages of RPCs and parameters, and how large pages grow. Tests share a server. */
const { open, server } = withConsole();

async function ask(path: string, body?: unknown): Promise<any> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${server().origin}/api/v1${path}`, { ...init, headers });
  const { meta, data } = (await answer.json()) as { meta: { code: number; message: string }; data: any };
  if (meta.code !== 200) throw new Error(`${path}: ${meta.code} ${meta.message}`);
  return data;
}
const countNodes = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);
const maxNodes = 3000;

describe("all about one RPC (L20)", () => {
  it("is 2 clicks away from any page", async () => {
    const { page, goto } = await open();
    await goto("/about");
    const clicks = await countClicks(page);
    await page.getByRole("button", { name: "Search everything" }).click();
    await page.getByRole("combobox", { name: "Search everything" }).fill("alert");
    const options = page.getByRole("group", { name: "RPCs and parameters" }).getByRole("option");
    await options.filter({ hasText: "OnSubtleAlertPressed" }).waitFor();
    expect(await options.first().innerText()).toMatch(/^Alert\b/);
    await options.first().click();
    await page.getByRole("heading", { level: 1, name: "Alert" }).waitFor();
    expect(await clicks()).toBe(2);
    expect(new URL(page.url()).pathname).toBe("/rpcs/Alert");
    await page.getByRole("row", { name: /^Notifications/ }).waitFor();
    await expectNoViolations(page);
  });

  it("leads on with keys alone: an app, a parameter, the apps that have it", async () => {
    const { page, goto } = await open({ theme: "dark" });
    await goto("/rpcs/GetVehicleData");
    await tabTo(page, page.getByRole("link", { name: "gps", exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "gps" }).waitFor();
    const { apps } = await ask("/ui/permissions/use?rpc=GetVehicleData&parameter=gps&apps=production");
    await tabTo(page, page.getByRole("link", { name: /^In production/ }));
    await page.keyboard.press("Enter");
    await page.waitForURL(/apps=production/);
    const [first] = apps;
    await tabTo(page, page.getByRole("link", { name: first.name, exact: true }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: first.name }).waitFor();
  });
});

describe("pages stay small", () => {
  it("coverage with 300 groups, and a release that adds them all", async () => {
    const rpcs = ["Alert", "Show", "Speak", "AddCommand", "SetMediaClockTimer"].map((name) => ({
      ...{ name, selected: true, parameters: [] },
      hmi_levels: ["FULL", "LIMITED"].map((value) => ({ value, selected: true })),
    }));
    for (let at = 0; at < 300; at++) await ask("/groups", { name: `Many-${at}`, is_default: false, rpcs });
    const { release } = await ask("/releases", { items: "all", force: true, reason: "many" });
    const { page, goto } = await open();
    await goto("/functionalgroups?view=matrix");
    await page.getByText(/^Groups 1–40 of 3\d\d$/).waitFor();
    expect(await countNodes(page)).toBeLessThanOrEqual(maxNodes);
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Next groups" }).click();
    await page.getByText(/^Groups 41–80 of/).waitFor();
    for (const path of [`/releases/${release.number}`, "/releases/1", "/rpcs/Alert"]) {
      await goto(path);
      expect(await countNodes(page), path).toBeLessThanOrEqual(maxNodes);
    }
  });
});
