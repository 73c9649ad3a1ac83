import { expect, it } from "vitest";
import { hasFocus, tabTo, withConsole } from "@/test/support/browser";

const { open } = withConsole();

it("shows both tables, and keeps the environment in the address", async () => {
  const { page, goto } = await open();
  await goto("/policytable");
  await page.getByText("/api/v1/staging/policy").waitFor();
  await page.getByRole("link", { name: "Production", exact: true }).click();
  await page.getByText("/api/v1/production/policy").waitFor();
  expect(new URL(page.url()).searchParams.get("environment")).toBe("production");
  await page.getByRole("tree", { name: "Policy table of production" }).waitFor();
});

it("?path= opens a node and marks it; search finds names and values", async () => {
  const { page, goto } = await open();
  await goto("/policytable?path=policy_table.functional_groupings.Base-4");
  const selected = page.getByRole("treeitem", { selected: true });
  expect(await selected.innerText()).toContain("Base-4");
  expect(await page.getByRole("link", { name: "Open group" }).getAttribute("href")).toMatch(
    /^\/functionalgroups\/manage\?name=Base-4&environment=staging$/,
  );
  await page.getByRole("searchbox", { name: "Search names and values" }).fill("timeout_after");
  await page.keyboard.press("Enter");
  await page.getByText("1 of 1").waitFor();
  expect(await selected.innerText()).toContain("timeout_after_x_seconds");
  await expect
    .poll(() => new URL(page.url()).searchParams.get("path"))
    .toBe("policy_table.module_config.timeout_after_x_seconds");
});

it("the tree works with the keyboard alone", async () => {
  const { page, goto } = await open();
  await goto("/policytable");
  const tree = page.getByRole("tree");
  await tabTo(page, tree);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const selected = page.getByRole("treeitem", { selected: true });
  await expect.poll(() => selected.getAttribute("aria-level")).toBe("4");
});

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
