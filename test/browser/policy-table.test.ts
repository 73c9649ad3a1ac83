import { expect, it } from "vitest";
import { hasFocus, tabTo, withConsole } from "@/test/support/browser";

const { open } = withConsole();

it("downloads the table under a name that tells environment and time", async () => {
  const { page, goto } = await open();
  await goto("/policytable");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^policy-table-staging-\d{4}-\d{2}-\d{2}T\d{4}\.json$/);
});

it("/ leads to the search, and from far down a button leads back to the top", async () => {
  const { page, goto } = await open();
  await goto("/policytable?nonsense=1&path=policy_table.module_config");
  expect(new URL(page.url()).search).toBe("?path=policy_table.module_config");
  await page.keyboard.press("/");
  expect(await hasFocus(page.getByRole("searchbox", { name: "Search names and values" }))).toBe(true);
  await page.getByRole("button", { name: "Unfold all" }).click();
  const back = page.getByRole("button", { name: "Back to top" });
  expect(await back.count()).toBe(0);
  await tabTo(page, page.getByRole("tree"));
  await page.keyboard.press("End");
  await back.click();
  const selected = page.getByRole("treeitem", { selected: true });
  await expect.poll(() => selected.getAttribute("aria-level")).toBe("1");
  await back.waitFor({ state: "detached" });
  expect(await hasFocus(page.getByRole("tree"))).toBe(true);
});
