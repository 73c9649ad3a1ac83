import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, hasFocus, withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const { open, ask } = withConsole();

const storeItem = async (item: Record<string, unknown>): Promise<number> =>
  (await ask("/vehicle-data", item)).custom_vehicle_data[0].id;
async function readItem(name: string, environment = "staging"): Promise<any> {
  const { custom_vehicle_data: items } = await ask(`/vehicle-data?environment=${environment}`);
  return items.find((item: { name: string }) => item.name === name);
}
const aStruct = (name: string, params: readonly unknown[]) => ({ name, key: `OEM_${name}`, type: "Struct", params });
const anInteger = (name: string) => ({ name, key: `OEM_${name}`, type: "Integer" });

async function chooseType(page: Page, type: string) {
  const field = page.getByRole("combobox", { name: "Type" });
  await field.focus();
  // Its list is fetched when the reader begins to act; until then what is typed would be added to what stands there.
  await field.and(page.locator("[aria-autocomplete=list]")).waitFor();
  await field.fill(type);
  await page
    .getByRole("option", { name: new RegExp(`^${type}`) })
    .first()
    .click();
}
async function fillNode(page: Page, name: string, type: string) {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Key" }).fill(`OEM_${name}`);
  await chooseType(page, type);
}
const treeItem = (page: Page, name: string) => page.getByRole("treeitem", { name: new RegExp(`^${name}`) });
const saved = (page: Page) => page.getByText("Saved to staging", { exact: true }).first();

it("a new struct with two levels is saved and promoted", async () => {
  const { page, goto } = await open();
  await goto("/vehicledata");
  await page.getByRole("link", { name: "New item" }).first().click();
  await page.waitForURL("**/vehicledata/manage?**");
  await fillNode(page, "cabinScent", "Struct");
  await page.getByRole("button", { name: "Add inside cabinScent" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await expect.poll(() => hasFocus(name)).toBe(true);
  await fillNode(page, "zone", "Struct");
  await page.getByRole("button", { name: "Add inside zone" }).click();
  await fillNode(page, "level", "Integer");
  await page.getByRole("textbox", { name: "Min value" }).fill("0");
  await page.getByRole("textbox", { name: "Max value" }).fill("10");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved(page).waitFor();
  await page.waitForURL(/manage\?id=\d+&environment=staging/);
  await treeItem(page, "level").and(page.locator("[aria-selected=true]")).waitFor();
  expect(await page.getByRole("textbox", { name: "Max value" }).inputValue()).toBe("10");
  expect(await readItem("cabinScent")).toMatchObject({
    type: "Struct",
    params: [{ name: "zone", params: [{ name: "level", min_value: 0, max_value: 10, min_length: null }] }],
  });

  await page.getByRole("link", { name: "Publish to production" }).click();
  await publishChosen(page);
  expect(await readItem("cabinScent", "production")).toMatchObject({ params: [{ params: [{ name: "level" }] }] });
});

it("a struct that becomes something else asks what happens to what is inside", async () => {
  const id = await storeItem(aStruct("turnedItem", [aStruct("group", [anInteger("a"), anInteger("b")])]));
  const { page, goto } = await open();
  await goto(`/vehicledata/manage?id=${id}&environment=staging`);
  await treeItem(page, "group").click();
  await chooseType(page, "String");
  await page.getByRole("dialog").getByRole("button", { name: "Move up into turnedItem" }).click();
  expect(await treeItem(page, "b").getAttribute("aria-level")).toBe("2");
  await page.getByRole("textbox", { name: "Max length" }).fill("5");
  await chooseType(page, "Integer");
  await page.getByText("Removed by this change: ≤ 5 characters").waitFor();
  await page.keyboard.press("Control+s");
  await saved(page).waitFor();
  const [a, b, group] = (await readItem("turnedItem")).params;
  expect([a.name, b.name, group]).toEqual(["a", "b", expect.objectContaining({ type: "Integer", max_length: null })]);
});

it("after somebody else's save only the part that both have changed is asked about", async () => {
  const params = (level: number, fan: string) => [
    { ...anInteger("level"), max_value: level },
    { ...anInteger("fan"), key: fan },
  ];
  const id = await storeItem(aStruct("partsItem", params(10, "FAN")));
  const { page, goto, problems } = await open();
  problems.allow(/409/);
  await goto(`/vehicledata/manage?id=${id}&environment=staging`);
  await treeItem(page, "level").click();
  await page.getByRole("textbox", { name: "Max value" }).fill("30");
  await storeItem(aStruct("partsItem", params(20, "THEIR_FAN")));
  await page.getByRole("region", { name: "Unsaved changes" }).getByText("1 unsaved change").waitFor();
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Someone else has saved changes" });
  await dialog.getByRole("group", { name: "Inside: level" }).getByText("≤ 20").waitFor();
  expect(await dialog.getByRole("group").count()).toBe(1);
  const words = await dialog.innerText();
  expect(words).toMatch(/Before: Integer, ≤ 10, key OEM_level/);
  expect(words).toMatch(/Changed only by them, taken over\s+Inside: fan\s+Integer, key THEIR_FAN/);
  expect(words).not.toContain("root");
  await expectNoViolations(page);
  await dialog.getByRole("radio", { name: /Mine/ }).check();
  await dialog.getByRole("button", { name: "Save my choice" }).click();
  await saved(page).waitFor();
  expect((await readItem("partsItem")).params).toMatchObject([
    { name: "fan", key: "THEIR_FAN" },
    { name: "level", max_value: 30 },
  ]);
});

const looks = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 390 },
  { theme: "light", width: 320 },
] as const;

it.each(looks)("list and editor with data are sound in $theme at $width px", async ({ theme, width }) => {
  const long = "aNameThatIsAsLongAsNamesOfVehicleDataBecomeWhenTheyTellEverythingThatTheyStandFor";
  const limits = { array: true, min_size: 1, max_size: 100, min_value: -1000000.5, max_value: 1000000.5 };
  const leaf = { name: long, key: `OEM_${long}`, type: "Float", ...limits };
  const chain = [9, 8, 7, 6, 5, 4, 3, 2].reduce<object>((inner, level) => aStruct(`level${level}`, [inner]), leaf);
  const id = await storeItem(aStruct(`${long}${width}`, [chain]));
  const { page, goto } = await open({ theme, width });
  for (const path of [`/vehicledata?item=${id}`, `/vehicledata/manage?id=${id + 9}&environment=staging`]) {
    await goto(path);
    expect(await page.locator("main").innerText()).toContain(long);
    await expectNoSidewaysScrolling(page);
    // At its top: where the page is left by its data, the bar above may lie over half of a button.
    await expect.poll(() => page.evaluate(scrollToTop)).toBe(0);
    await expectNoViolations(page);
  }
});

/** Runs in the browser: where the page is a frame later, which may have been about to scroll by itself. */
function scrollToTop(): Promise<number> {
  window.scrollTo(0, 0);
  return new Promise((resolve) => requestAnimationFrame(() => resolve(window.scrollY)));
}
