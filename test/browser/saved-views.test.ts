import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, hasFocus, tabTo, withConsole } from "@/test/support/browser";
import { someOf } from "@/test/support/extent";

/* Views of lists that are kept in the browser. */

const { open } = withConsole();

const button = (page: Page) => page.getByRole("button", { name: "Views", exact: true });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name });
const view = (page: Page, name: string) => page.getByRole("menuitemradio", { name, exact: true });
const searchOf = (page: Page) => new URL(page.url()).search;
const returnsFocus = (page: Page) => expect.poll(() => hasFocus(button(page))).toBe(true);

async function save(page: Page, name: string) {
  await button(page).click();
  await item(page, "Save this view…").click();
  await page.getByRole("textbox", { name: "Name of the view" }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByText(`The view “${name}” is saved`).waitFor();
}

describe("saved views", () => {
  it("are saved, kept over a reload, chosen, deleted and brought back", async () => {
    const { page, goto } = await open();
    await goto("/functionalgroups?sort=-name&size=25&after=25");
    await save(page, "Last ones");
    await returnsFocus(page);
    await goto("/functionalgroups?q=location");
    await save(page, "About places");
    await page.reload();
    await button(page).click();
    expect(await view(page, "About places").getAttribute("aria-checked")).toBe("true");
    await view(page, "Last ones").click();
    await expect.poll(() => searchOf(page)).toBe("?sort=-name&size=25");
    expect(await page.getByRole("searchbox").inputValue()).toBe("");

    await button(page).click();
    expect(await view(page, "Last ones").getAttribute("aria-checked")).toBe("true");
    await item(page, "Delete view…").click();
    await page.getByRole("button", { name: "Delete About places" }).click();
    await page.getByText("The view “About places” is deleted").waitFor();
    await returnsFocus(page);
    await button(page).click();
    await view(page, "Last ones").waitFor();
    expect(await view(page, "About places").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo" }).click();
    await button(page).click();
    await view(page, "About places").click();
    await expect.poll(() => searchOf(page)).toBe("?q=location");
  });

  it("work without a mouse", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=all&q=nav");
    await tabTo(page, button(page));
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(item(page, "Save this view…"))).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(page.getByRole("textbox", { name: "Name of the view" }))).toBe(true);
    await page.keyboard.type("Navigation");
    await page.keyboard.press("Enter");
    await page.getByText("The view “Navigation” is saved").waitFor();
    await returnsFocus(page);
    await goto("/applications?state=all");
    await tabTo(page, button(page));
    await page.keyboard.press("Enter");
    await expect.poll(() => hasFocus(view(page, "Navigation"))).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => searchOf(page)).toBe("?state=all&q=nav");
  });

  it("are those of one list; what somebody else has stored is none", async () => {
    const { page, goto } = await open();
    await goto("/consumermessages?lang=de-de");
    await save(page, "German");
    await page.evaluate(() => {
      localStorage.setItem("preference:views:/vehicledata", '[{"name":"Away","query":"//elsewhere.example"},7]');
      localStorage.setItem("preference:views:/applications", "{");
    });
    for (const list of ["/applications", "/functionalgroups"]) {
      await goto(list);
      await button(page).click();
      await item(page, "Save this view…").waitFor();
      expect(await page.getByRole("menuitemradio").count()).toBe(0);
    }
    // The page takes what it does not know out of the address.
    await goto("/vehicledata?type=Integer");
    await button(page).click();
    await view(page, "Away").click();
    await expect.poll(() => page.url()).toMatch(/\/vehicledata$/);
  });

  const looks = [
    ["light", 1280],
    ["light", 390],
    ["dark", 1280],
    ["dark", 390],
  ] as const;

  it.each(someOf(looks))("pass axe, %s at %i px", async (theme, width) => {
    const { page, goto } = await open({ theme, width });
    await goto("/functionalgroups?sort=-name");
    await save(page, "A view with a name that is as long as the name of one may be");
    await goto("/functionalgroups");
    await save(page, "All");
    await button(page).click();
    await view(page, "All").waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScrolling(page);
    await item(page, "Save this view…").click();
    await page.getByRole("textbox", { name: "Name of the view" }).fill("all");
    await page.getByText("There is a view “All”. Saving replaces it.").waitFor();
    await expectNoViolations(page);
    await page.keyboard.press("Escape");
    await button(page).click();
    await item(page, "Delete view…").click();
    await page.getByRole("dialog", { name: "Delete a view" }).waitFor();
    await expectNoViolations(page);
    await expectNoSidewaysScrolling(page);
  });
});
