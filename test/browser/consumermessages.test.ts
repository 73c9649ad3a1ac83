import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { hasFocus, withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const { open, server } = withConsole();
type Page = Awaited<ReturnType<typeof open>>["page"];

const manage = (category: string, more = "") =>
  `/consumermessages/manage?category=${category}&environment=staging${more}`;
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
async function chooseDelete(page: Page) {
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
}
const saveButton = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
const toast = (page: Page, text: string) => page.getByText(text).first().waitFor();

async function stored(category: string, environment = "staging") {
  const ask = async (query: string) => {
    const answer = await fetch(`${server().origin}/api/v1/messages?${query}`);
    return (await answer.json()).data.messages;
  };
  const found = (await ask(`environment=${environment}`)).find((one: any) => one.message_category === category);
  return found && (await ask(`id=${found.id}`))[0];
}
const textsOf = (message: any, languageId: string) =>
  message.languages.find((language: any) => language.language_id === languageId);
const save = (category: string, languages: Record<string, Record<string, string>>) =>
  fetch(`${server().origin}/api/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      messages: [
        {
          message_category: category,
          is_deleted: false,
          languages: Object.entries(languages).map(([language_id, texts]) => ({
            language_id,
            selected: true,
            ...texts,
          })),
        },
      ],
    }),
  });

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

it("the English text cannot be removed, others can", async () => {
  await save("Keeps", { "en-us": { tts: "One" }, "de-de": { tts: "Eins" } });
  const { page, goto } = await open();
  await goto(manage("Keeps"));
  await page.getByText("English cannot be removed").waitFor();
  expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(0);
  await page.getByRole("button", { name: /German \(Germany\)/ }).click();
  await page.getByRole("button", { name: "Remove German (Germany)" }).click();
  await page.getByText("1/40 in use").waitFor();
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  const message = await stored("Keeps");
  expect([textsOf(message, "en-us").selected, textsOf(message, "de-de").selected]).toEqual([true, false]);

  // Undo brings the version before back, as a new one.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("2/40 in use").waitFor();
  const restored = await stored("Keeps");
  expect(textsOf(restored, "de-de").tts).toBe("Eins");
  expect(restored.id).toBeGreaterThan(message.id);
});

it("a misspelt placeholder stops the save with a sentence and leads to its language", async () => {
  await save("Asks", { "en-us": { tts: "May %appName%?" }, "de-de": { tts: "Darf %appName%?" } });
  const { page, goto } = await open();
  await goto(manage("Asks", "&lang=de-de"));
  await field(page, "Spoken text").fill("Darf %appname%?");
  await page.getByRole("button", { name: /English \(United States\)/ }).click();
  await saveButton(page).click();
  const summary = page.getByRole("alert").filter({ hasText: "Fix 1 problem" });
  await summary.waitFor();
  expect(await summary.innerText()).toContain("%appname% is not in the English text; it says %appName%");
  await page.getByRole("heading", { name: "German (Germany)" }).waitFor();
  expect(await field(page, "Spoken text").inputValue()).toBe("Darf %appname%?");
  await expectNoViolations(page);
  expect(textsOf(await stored("Asks"), "de-de").tts).toBe("Darf %appName%?");
  await field(page, "Spoken text").fill("Darf %appName% das?");
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  expect(textsOf(await stored("Asks"), "de-de").tts).toBe("Darf %appName% das?");
});

it("deleting a prompt in use names the groups, and the deletion can be taken back", async () => {
  const { page, goto } = await open();
  await goto(manage("VehicleInfo"));
  await chooseDelete(page);
  const dialog = page.getByRole("alertdialog");
  await dialog.getByText("These groups are left out of the staging table: VehicleInfo-3.").waitFor();
  await dialog
    .getByText("publish the deletion while these groups use the message in production: VehicleInfo-3.")
    .waitFor();
  await dialog.getByRole("button", { name: "Delete the message" }).click();
  await page.getByText("Marked for deletion").waitFor();
  expect((await stored("VehicleInfo")).is_deleted).toBe(true);
  expect(await field(page, "Label").isEditable()).toBe(false);
  await page.getByRole("button", { name: "Restore…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore the message" }).click();
  await page.getByText("Marked for deletion").waitFor({ state: "detached" });
  expect((await stored("VehicleInfo")).is_deleted).toBe(false);
});

it("Undo pressed before the page is loaded again brings the version before, also after Delete and Restore", async () => {
  await save("Undone", { "en-us": { tts: "One" } });
  const { page, goto } = await open();
  await goto(manage("Undone"));
  await field(page, "Spoken text").fill("Two");
  // The page learns of its new version late.
  let letThrough: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/_rsc=/, async (route) => {
    await held;
    await route.continue();
  });
  await saveButton(page).click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await toast(page, "The previous version of Undone is back in staging");
  letThrough();
  expect(textsOf(await stored("Undone"), "en-us").tts).toBe("One");
  await expect.poll(() => field(page, "Spoken text").inputValue()).toBe("One");

  const before = await stored("Undone");
  await chooseDelete(page);
  await page.getByRole("button", { name: "Delete the message" }).click();
  await page.getByText("Marked for deletion").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Deleted Undone" }).getByRole("button", { name: "Undo" }).click();
  await page.getByText("Marked for deletion").waitFor({ state: "detached" });
  const after = await stored("Undone");
  expect(after.is_deleted).toBe(false);
  expect(after.id).toBeGreaterThan(Number(before.id) + 1);
  expect(textsOf(after, "en-us").tts).toBe("One");
});

it("Undo changes nothing when somebody has saved since", async () => {
  await save("Raced", { "en-us": { tts: "One" } });
  const { page, goto } = await open();
  await goto(manage("Raced"));
  await field(page, "Spoken text").fill("Two");
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  await save("Raced", { "en-us": { tts: "Theirs" } });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await toast(page, "Nothing was undone: someone else has saved Raced.");
  expect(textsOf(await stored("Raced"), "en-us").tts).toBe("Theirs");
});

it("a version that is gone leads to the newest one of its name", async () => {
  await save("Fresh", { "en-us": { tts: "One" } });
  const { id } = await stored("Fresh");
  const { page, goto, problems } = await open();
  problems.allow(/404/);
  expect(await goto(`/consumermessages/manage?id=${id}&environment=production`)).toBe(404);
  await page.getByRole("heading", { level: 1, name: "This version no longer exists" }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Latest version of Fresh" }).click();
  await page.getByRole("heading", { level: 1, name: "Fresh" }).waitFor();
  expect(await goto("/consumermessages/manage?category=Nowhere&environment=staging")).toBe(404);
  await page.getByRole("link", { name: "All consumer messages" }).waitFor();
  expect(await page.getByRole("link", { name: /^Newest version/ }).count()).toBe(0);
});

it("unknown parameters and languages leave the address of a message", async () => {
  const { page, goto } = await open();
  await goto("/consumermessages/manage?category=DataConsent&environment=nowhere&lang=xx-yy&theme=dark");
  expect(new URL(page.url()).search).toBe("?category=DataConsent");
  await page.getByRole("heading", { name: "English (United States)" }).waitFor();
});

it("after Remove and Reset the focus is in the texts of the language", async () => {
  await save("Focused", { "en-us": { tts: "One" }, "de-de": { tts: "Eins" } });
  const { page, goto } = await open();
  await goto(manage("Focused", "&lang=de-de"));
  await page.getByRole("button", { name: "Remove German (Germany)" }).click();
  expect(await hasFocus(field(page, "Spoken text"))).toBe(true);
  await page.getByRole("button", { name: "Reset", exact: true }).click();
  expect(await hasFocus(field(page, "Spoken text"))).toBe(true);
  expect(await field(page, "Spoken text").inputValue()).toBe("Eins");
});

it("a refused save keeps what was typed and says why", async () => {
  await save("Fails", { "en-us": { tts: "One" } });
  const { page, goto, problems } = await open();
  problems.allow(/503/);
  await goto(manage("Fails"));
  await field(page, "Spoken text").fill("Two");
  await page.route("**/api/v1/messages", (route) =>
    route.fulfill({
      status: 503,
      json: { meta: { request_id: "r-1", code: 503, message: "The database is away" }, data: {} },
    }),
  );
  await saveButton(page).click();
  await page.getByText("The database is away").first().waitFor();
  expect(await field(page, "Spoken text").inputValue()).toBe("Two");
  await page.unroute("**/api/v1/messages");
  await saveButton(page).click();
  await toast(page, "Saved to staging");
  expect(textsOf(await stored("Fails"), "en-us").tts).toBe("Two");
});

it("what somebody else has saved meanwhile is merged text by text", async () => {
  await save("Shared", { "en-us": { tts: "One", label: "A" } });
  const { page, goto, problems } = await open();
  problems.allow(/409/);
  await goto(manage("Shared"));
  await field(page, "Spoken text").fill("Mine");
  await save("Shared", { "en-us": { tts: "Theirs", label: "B" } });
  await saveButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Someone else has saved changes" });
  await dialog.getByText("Theirs").first().waitFor();
  await dialog.getByRole("radio", { name: /Mine/ }).check();
  await dialog.getByRole("button", { name: "Save my choice" }).click();
  await toast(page, "Saved to staging");
  expect(textsOf(await stored("Shared"), "en-us")).toMatchObject({ tts: "Mine", label: "B" });
});

it("a name that is taken is refused, and leads to the message that has it", async () => {
  await save("Taken", { "en-us": { tts: "One" } });
  const { page, goto } = await open();
  await goto("/consumermessages/manage");
  await field(page, "Category").fill("taken");
  await page.getByText("There is already a message Taken").waitFor();
  await saveButton(page).click();
  await page.getByRole("alert").filter({ hasText: "choose another name" }).waitFor();
  expect(textsOf(await stored("Taken"), "en-us").tts).toBe("One");
  await page.getByRole("link", { name: "Open it" }).click();
  await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: /Leave/ }).click();
  await page.getByRole("heading", { level: 1, name: "Taken" }).waitFor();
});

it("Ctrl and an arrow lead to the next language, within the same field", async () => {
  await save("Keys", { "en-us": { tts: "One", label: "A" } });
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

it("searches all languages, shows another language, and promotes the selected only", async () => {
  await save("Find-1", { "en-us": { tts: "Searched" }, "de-de": { tts: "Gesuchtes Wort" } });
  await save("Find-2", { "en-us": { tts: "Searched" } });
  const { page, goto } = await open();
  await goto("/consumermessages");
  await page.getByLabel("Search names and texts").fill("gesuchtes");
  await page.getByText("Found in German (Germany)").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("gesuchtes");
  await goto("/consumermessages?q=searched&lang=de-de&state=modified");
  await page.getByText("Gesuchtes Wort").waitFor();
  await page.getByText("No German (Germany)").waitFor();
  await page.getByRole("checkbox", { name: "Select Find-1" }).click();
  await page.getByRole("link", { name: "Publish selected" }).click();
  await publishChosen(page);
  expect(await stored("Find-1", "production")).toBeDefined();
  expect(await stored("Find-2", "production")).toBeUndefined();
});

it("production is read-only; unknown messages are not found", async () => {
  const { page, goto, problems } = await open();
  problems.allow(/404/);
  await goto("/consumermessages?environment=production");
  expect(await page.getByRole("link", { name: "New message" }).count()).toBe(0);
  await page.getByRole("link", { name: "DataConsent", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "DataConsent" }).waitFor();
  expect(await field(page, "Line 1").isEditable()).toBe(false);
  expect(await goto("/consumermessages/manage?id=99999999&environment=staging")).toBe(404);
  expect(await goto("/consumermessages/manage?id=one")).toBe(404);
});

it.each([1280, 390])("finding A7: says what each language adds to every vehicle's table, %d px wide", async (width) => {
  const { page, goto } = await open({ width });
  await goto("/consumermessages?environment=production");
  const section = page.getByRole("region", { name: "Size in every vehicle’s table" });
  await section.getByText("Size of each language").click();
  const line = await section.getByRole("row", { name: /^Italian \(Italy\) it-it/ }).innerText();
  expect(line.split(/\s+/).slice(3)).toEqual([
    expect.stringMatching(/^\d+$/),
    ...[1, 2].map(() => expect.stringMatching(/^[\d,]{4,}$/)),
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  // The section has been scrolled to, and a row that lies half below the sticky bar now would be too small a target for axe.
  await page.evaluate(() => scrollTo(0, 0));
  await expectNoViolations(page);
});
