import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, hasFocus, withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const { open, ask } = withConsole();
type Page = Awaited<ReturnType<typeof open>>["page"];

const manage = (category: string, more = "") =>
  `/consumermessages/manage?category=${category}&environment=staging${more}`;
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const saveButton = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const toast = (page: Page, text: string) => page.getByText(text).first().waitFor();

async function stored(category: string, environment = "staging") {
  const { messages } = await ask(`/messages?environment=${environment}`);
  const found = messages.find((one: any) => one.message_category === category);
  return found && (await ask(`/messages?id=${found.id}`)).messages[0];
}
const textsOf = (message: any, languageId: string) =>
  message.languages.find((language: any) => language.language_id === languageId);
const save = (category: string, texts: Record<string, string>) => {
  const languages = Object.entries(texts).map(([language_id, tts]) => ({ language_id, selected: true, tts }));
  return ask("/messages", { messages: [{ message_category: category, is_deleted: false, languages }] });
};

it("a new consent prompt in two languages is saved, stays open, and is promoted", async () => {
  const { page, goto } = await open();
  await goto("/consumermessages");
  await page.getByRole("link", { name: "New message" }).click();
  await field(page, "Category").fill("Parking");
  await field(page, "Spoken text").fill("May %appName% see free parking places?");
  await field(page, "Label").fill("Parking");
  await page.getByRole("combobox", { name: "Add a language" }).fill("German (Germ");
  await page.getByRole("option", { name: "German (Germany) · de-de" }).click();
  await page.getByRole("heading", { name: "German (Germany)" }).waitFor();
  await field(page, "Spoken text").fill("Darf %appName% freie Parkplätze sehen?");
  expect(await field(page, "Spoken text").getAttribute("lang")).toBe("de-de");
  expect(await field(page, "Spoken text").getAttribute("dir")).toBe("auto");
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  await page.getByRole("heading", { level: 1, name: "Parking" }).waitFor();
  await expectNoViolations(page);
  expect(textsOf(await stored("Parking"), "de-de").tts).toBe("Darf %appName% freie Parkplätze sehen?");
  expect(await stored("Parking", "production")).toBeUndefined();

  await page.getByRole("link", { name: "Publish to production" }).click();
  await publishChosen(page);
  expect(textsOf(await stored("Parking", "production"), "en-us").label).toBe("Parking");
});

it("English cannot be removed, others can; Remove and Reset leave the focus in the texts, and Undo brings the texts back", async () => {
  await save("Keeps", { "en-us": "One", "de-de": "Eins" });
  const { page, goto } = await open();
  await goto(manage("Keeps"));
  await page.getByText("English cannot be removed").waitFor();
  expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0);
  await page.getByRole("button", { name: /German \(Germany\)/ }).click();
  const remove = page.getByRole("button", { name: "Remove German (Germany)" });
  await remove.click();
  expect(await hasFocus(field(page, "Spoken text"))).toBe(true);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  expect(await hasFocus(field(page, "Spoken text"))).toBe(true);
  expect(await field(page, "Spoken text").inputValue()).toBe("Eins");
  await remove.click();
  await page.getByText("1/40 in use").waitFor();
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  const message = await stored("Keeps");
  expect([textsOf(message, "en-us").selected, textsOf(message, "de-de").selected]).toEqual([true, false]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("2/40 in use").waitFor();
  expect(textsOf(await stored("Keeps"), "de-de").tts).toBe("Eins");
});

it("a misspelt placeholder stops the save with a sentence and leads to its language", async () => {
  await save("Asks", { "en-us": "May %appName%?", "de-de": "Darf %appName%?" });
  const { page, goto } = await open();
  await goto(manage("Asks", "&lang=de-de"));
  await field(page, "Spoken text").fill("Darf %appname%?");
  await page.getByRole("button", { name: /English \(United States\)/ }).click();
  await saveButton(page).click();
  const summary = page.getByRole("alert").filter({ hasText: "Fix 1 problem" });
  await summary.getByText("%appname% is not in the English text; it says %appName%").waitFor();
  await page.getByRole("heading", { name: "German (Germany)" }).waitFor();
  await expectNoViolations(page);
});

it("deleting a prompt in use names the groups", async () => {
  const { page, goto } = await open();
  await goto(manage("VehicleInfo"));
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("These groups are left out of the staging table: VehicleInfo-3.").waitFor();
  await dialog
    .getByText("publish the deletion while these groups use the message in production: VehicleInfo-3.")
    .waitFor();
  await dialog.getByRole("button", { name: "Delete the message" }).click();
  await page.getByText("Marked for deletion").waitFor();
  expect((await stored("VehicleInfo")).is_deleted).toBe(true);
  expect(await field(page, "Label").isEditable()).toBe(false);
});

it("a version that is gone leads to the newest one of its name; unknown messages are not found", async () => {
  await save("Fresh", { "en-us": "One" });
  const { id } = await stored("Fresh");
  const { page, goto, problems } = await open();
  problems.allow(/404/);
  expect(await goto(`/consumermessages/manage?id=${id}&environment=production`)).toBe(404);
  await page.getByRole("heading", { level: 1, name: "This version no longer exists" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Latest version of Fresh" }).click();
  await page.getByRole("heading", { level: 1, name: "Fresh" }).waitFor();
  expect(await goto(manage("Nowhere"))).toBe(404);
  await page.getByRole("link", { name: "All consumer messages" }).waitFor();
  expect(await page.getByRole("link", { name: /^Latest version/ }).count()).toBe(0);
  expect(await goto("/consumermessages/manage?id=one")).toBe(404);
});

it("unknown parameters and languages leave the address of a message", async () => {
  const { page, goto } = await open();
  await goto("/consumermessages/manage?category=DataConsent&environment=nowhere&lang=xx-yy&theme=dark");
  expect(new URL(page.url()).search).toBe("?category=DataConsent");
  await page.getByRole("heading", { name: "English (United States)" }).waitFor();
});

it("a name that is taken leads to the message that has it", async () => {
  const { page, goto } = await open();
  await goto("/consumermessages/manage");
  await field(page, "Category").fill("dataconsent");
  await page.getByText("There is already a message DataConsent").waitFor();
  await page.getByRole("link", { name: "Open it" }).click();
  await page.getByRole("heading", { level: 1, name: "DataConsent" }).waitFor();
});

it("Ctrl and an arrow lead to the next language, within the same field", async () => {
  await save("Keys", { "en-us": "One" });
  const { page, goto } = await open();
  await goto(manage("Keys"));
  await field(page, "Label").focus();
  await page.keyboard.press("Control+ArrowDown");
  await page.getByRole("heading", { name: "Arabic (Saudi Arabia)" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("lang") === "ar-sa");
  expect(await hasFocus(field(page, "Label"))).toBe(true);
  await page.keyboard.press("Control+ArrowUp");
  await page.getByRole("heading", { name: "English (United States)" }).waitFor();
});

it.each([1280, 390])("finding A7: the sizes of languages fit into %d px, and are sound", async (width) => {
  const { page, goto } = await open({ width });
  await goto("/consumermessages?environment=production");
  const section = page.getByRole("region", { name: "Size in every vehicle’s table" });
  await section.getByText("Size of each language").click();
  await section.getByRole("row", { name: /^Italian \(Italy\) it-it/ }).waitFor();
  await expectNoSidewaysScrolling(page);
  // The section has been scrolled to, and a row that lies half below the sticky bar now would be too small a target for axe.
  await page.evaluate(() => scrollTo(0, 0));
  await expectNoViolations(page);
});
