import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

const { open, ask } = withConsole();

it("L15: what a vehicle gets, for apps by name, in 3 clicks: policy table, Vehicle, Run", async () => {
  const { page, goto } = await open();
  await goto("/applications");
  const clicks = await countClicks(page);
  await page.getByRole("link", { name: "Policy table" }).click();
  await page.getByRole("link", { name: "Vehicle", exact: true }).click();
  await page.getByRole("combobox", { name: "Apps of the vehicle" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("wayfold");
  await page
    .getByRole("option", { name: /^Wayfold Navigation/ })
    .and(page.locator("[data-highlighted]"))
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Apps of the vehicle" }).getByText("Wayfold Navigation").waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("heading", { level: 2, name: "Wayfold Navigation" }).waitFor();
  await page.getByRole("heading", { level: 3, name: "Functional groups and reasons" }).waitFor();
  await page.getByText("Every app gets it").first().waitFor();
  expect(await clicks()).toBe(3);
  const { applications } = await ask("/applications?search=wayfold");
  expect(new URL(page.url()).search).toBe(`?tab=vehicle&of=production&apps=${applications[0].uuid}`);
  await expectNoViolations(page);
});
