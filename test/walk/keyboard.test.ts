import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { rpcBody } from "@/test/support/releases";
import { basicAuth, consolePassword, hasFocus, tabTo, withConsole } from "@/test/support/browser";
import { settle } from "@/test/support/settle";

const { open, ask } = withConsole({ env: basicAuth });

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

it("7: all pages are reached by keyboard alone", async () => {
  const { page, goto } = await open();
  await goto("/");
  await heading(page, "Sign in");
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(consolePassword);
  await page.keyboard.press("Enter");
  await heading(page, "Overview");
  await settle(page);

  const sections = [
    { name: "Applications", item: /\/applications\/\d+$/ },
    { name: "Policy table", item: null },
    { name: "Functional groups", item: /\/functionalgroups\/manage\?/ },
    { name: "Consumer messages", item: /\/consumermessages\/manage\?/ },
    { name: "Vehicle data", item: /\/vehicledata\/manage\?/ },
    { name: "Module config", item: null },
    { name: "Releases", item: null },
    { name: "Activity", item: null },
    { name: "Import and export", item: null },
    { name: "About", item: null },
  ];
  for (const { name, item } of sections) {
    await tabTo(page, page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name, exact: true }));
    await page.keyboard.press("Enter");
    await heading(page, name);
    await settle(page);
    if (item === null) continue;
    await tabTo(page, page.locator("[data-row-link]").first());
    await page.keyboard.press("Enter");
    await page.waitForURL(item);
    await settle(page);
    expect(await page.locator("h1").innerText()).not.toBe(name);
  }
});

it("decides about an app by keyboard alone", async () => {
  const { page, goto } = await open({ signedIn: true });
  await goto("/applications?state=all&q=podcat");
  await tabTo(page, page.locator("[data-row-link]").first());
  await page.keyboard.press("Enter");
  await heading(page, "Podcat");
  await settle(page);
  await tabTo(page, page.getByRole("button", { name: "Approve to staging" }));
  await page.keyboard.press("Enter");
  await page
    .getByText(/^v\S+ is in staging$/)
    .first()
    .waitFor();
  const { applications } = await ask("/applications?search=podcat");
  expect(applications[0].approval_status).toBe("STAGING");
});

it("edits, saves and publishes a group by keyboard alone", async () => {
  const rpcs = ["Alert", "Show", "Speak"].map((name) => rpcBody(name, ["FULL"]));
  await ask("/groups", { name: "Keys-1", is_default: false, rpcs });
  const { page, goto } = await open({ theme: "dark", signedIn: true });
  await goto("/functionalgroups?q=Keys-1");
  await tabTo(page, page.getByRole("link", { name: /^Keys-1/ }));
  await page.keyboard.press("Enter");
  await heading(page, "Keys-1");
  await tabTo(page, page.getByRole("checkbox", { name: "Alert: FULL" }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  expect(await hasFocus(page.getByRole("checkbox", { name: "Show: LIMITED" }))).toBe(true);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+Space");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Delete");
  await page.getByText("3 unsaved changes").first().waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("listitem").filter({ hasText: "Saved to staging" }).waitFor();

  await goto("/changes?items=group:Keys-1");
  await tabTo(page, page.getByRole("button", { name: "Publish 1 change" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.waitFor();
  await tabTo(page, dialog.getByRole("button", { name: "Publish 1 change" }));
  await page.keyboard.press("Enter");
  await page.getByText(/^Published 1 change as release #\d+$/).waitFor();
  const { groups } = await ask("/groups?environment=production&search=Keys-1");
  const detail = await ask(`/groups?environment=production&id=${groups[0].id}`);
  const selected = (list: readonly any[]) => list.filter((one) => one.selected);
  const levels = selected(detail.groups[0].rpcs).map(({ name, hmi_levels }: any) => [
    name,
    selected(hmi_levels).map(({ value }) => value),
  ]);
  expect(Object.fromEntries(levels)).toEqual({ Show: ["FULL", "LIMITED"], Speak: ["FULL", "LIMITED", "BACKGROUND"] });
});
