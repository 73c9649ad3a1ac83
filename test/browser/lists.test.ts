import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { basicAuth, withConsole } from "@/test/support/browser";
import { settle } from "@/test/support/settle";

const { open, ask } = withConsole({ env: basicAuth });

beforeAll(async () => {
  for (const name of ["cabinScent", "chairHeat"]) {
    await ask("/vehicle-data", { name, key: `OEM_${name.toUpperCase()}`, type: "Integer", array: false, params: [] });
  }
  await ask("/vehicle-data/promote", {});
});

/** What a page says, with each time as it is and not as its age, which grows. */
const main = (page: Page) =>
  page.locator("main").evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const time of copy.querySelectorAll("time")) time.textContent = time.dateTime;
    return copy.textContent;
  });
const scrollOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const rows = (page: Page) => page.locator("[data-row-link]").allInnerTexts();
/** The name in the text of a row: before it may stand the initials of an icon, behind it another line. */
const nameIn = (text: string) => {
  const lines = text.split("\n");
  return (lines.length > 2 ? lines[1] : lines[0]) ?? "";
};
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
async function openLowRow(page: Page): Promise<{ name: string; place: number }> {
  await page.evaluate(() => {
    window.scrollTo(0, 240);
  });
  await expect.poll(() => scrollOf(page)).toBe(240);
  const links = page.locator("[data-row-link]");
  const boxes = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const index = boxes.findIndex((top) => top > 160 && top < 360);
  const name = await links.nth(index).innerText();
  await links.nth(index).click();
  await page.waitForURL(/\/manage|\/applications\/\d/);
  return { name: nameIn(name), place: 240 };
}

it.each([
  { label: "Applications", plain: "/applications?state=all&sort=-name" },
  { label: "Functional groups", plain: "/functionalgroups?sort=-name&size=25" },
  { label: "Consumer messages", plain: "/consumermessages?environment=production&sort=-name&lang=de-de" },
])(
  "the way back from an item: 7: leads to $plain as it was; back also scrolls down as far",
  async ({ label, plain }) => {
    const { page, goto } = await open({ height: 480, signedIn: true });
    await goto(plain);
    const before = await rows(page);
    expect(before.length).toBeGreaterThan(5);
    const address = page.url();
    for (const way of ["back", "breadcrumb"] as const) {
      const { name, place } = await openLowRow(page);
      await heading(page, name);
      if (way === "back") await page.goBack();
      else await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: label }).click();
      await heading(page, label);
      expect(page.url()).toBe(address);
      await expect.poll(() => rows(page)).toEqual(before);
      await expect.poll(() => scrollOf(page)).toBe(way === "back" ? place : 0);
    }
  },
);

it("every page begins at its top, however little the one before was scrolled", async () => {
  const { page, goto } = await open({ height: 480, signedIn: true });
  for (const place of [16, 40, 72, 400]) {
    await goto("/functionalgroups");
    await page.evaluate((top) => {
      window.scrollTo(0, top);
    }, place);
    await expect.poll(() => scrollOf(page)).toBe(place);
    const link = page.locator("[data-row-link]").nth(2);
    const name = await link.innerText();
    // A click of the pointer would first bring the link into view.
    await link.evaluate((element: HTMLAnchorElement) => {
      element.click();
    });
    await heading(page, name.split("\n")[0] ?? "");
    expect([place, await scrollOf(page)]).toEqual([place, 0]);
  }
});

describe("the address of a list", () => {
  it("7: reloading brings the same list", async () => {
    const { page, goto } = await open({ signedIn: true });
    await goto("/functionalgroups");
    await page.getByLabel("Search groups").fill("vehicle");
    await page.waitForURL(/q=vehicle/);
    await page.getByRole("link", { name: "Name", exact: true }).click();
    await page.waitForURL(/sort=-name/);
    await page.getByRole("group", { name: "Environment" }).getByRole("link", { name: "Production" }).click();
    await page.waitForURL(/environment=production/);
    await settle(page);
    // Notices about the set-up are shown whole once.
    await page.reload();
    await settle(page);
    const before = { address: page.url(), rows: await rows(page), text: await main(page) };
    expect(before.rows.length).toBeGreaterThan(0);
    await page.reload();
    await settle(page);
    expect({ address: page.url(), rows: await rows(page), text: await main(page) }).toEqual(before);
  });

  it("the page size that was chosen holds in all lists, and what the server draws has it at once", async () => {
    const { page, goto } = await open({ signedIn: true });
    await goto("/functionalgroups");
    await page.getByRole("combobox", { name: "Rows" }).selectOption("25");
    await page.waitForURL(/size=25/);
    for (const list of ["/functionalgroups", "/consumermessages", "/vehicledata", "/applications?state=all"]) {
      const asked: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes(list) && request.isNavigationRequest()) asked.push(request.url());
      });
      await goto(list);
      const chosen = page.getByRole("combobox", { name: "Rows" });
      // Finding E5: where one page of the smallest size holds all there is nothing to choose.
      if ((await rows(page)).length < 25) expect(await chosen.count()).toBe(0);
      else expect(await chosen.inputValue()).toBe("25");
      expect(asked).toHaveLength(1);
      page.removeAllListeners("request");
    }
    await goto("/functionalgroups?size=50");
    expect(await page.getByRole("combobox", { name: "Rows" }).inputValue()).toBe("50");
  });
});

const sections = (page: Page) => page.getByRole("navigation", { name: "Sections" });

it("the badges of the navigation: 7: follow a save and an approval without loading the page again", async () => {
  const { page, goto } = await open({ signedIn: true });
  await goto("/consumermessages/manage?category=DataConsent&environment=staging");
  await page.evaluate(() => {
    (window as any).isSamePage = true;
  });
  const waiting = sections(page).getByRole("link", { name: /^\d+ messages? not in production$/ });
  const countOf = async () => ((await waiting.count()) === 0 ? 0 : Number.parseInt(await waiting.innerText(), 10));
  const before = await countOf();
  await page.getByLabel("Line 2", { exact: true }).fill("Changed by a test");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(countOf).toBe(before + 1);

  await sections(page).getByRole("link", { name: "Applications", exact: true }).click();
  await heading(page, "Applications");
  const pending = sections(page).getByRole("link", { name: /^\d+ pending applications?$/ });
  const many = Number.parseInt(await pending.innerText(), 10);
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("button", { name: "Approve to staging" }).click();
  await expect.poll(async () => Number.parseInt(await pending.innerText(), 10)).toBe(many - 1);
  expect(await page.evaluate(() => (window as any).isSamePage)).toBe(true);
});
