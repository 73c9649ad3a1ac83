import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { publishChosen } from "@/test/support/publish";
import { rpcBody } from "@/test/support/releases";

/* Releases: what waits is reviewed, published and taken back. Tests share a server and its one production. */
const { open, ask } = withConsole();

const show = rpcBody("Show", ["FULL"]);
const save = (name: string, members: object = {}) =>
  ask("/groups", { name, is_default: false, rpcs: [show], ...members });
const english = { language_id: "en-us", selected: true, tts: "May it?", line1: "May it?" };

async function readProduction(name: string): Promise<any> {
  const { groups } = await ask(`/groups?environment=production&search=${name}`);
  return groups.find((group: { name: string }) => group.name === name) ?? null;
}

const publishButton = (page: Page) => page.getByRole("button", { name: /^Publish \d+ changes?$/ });

it("L9: everything that waits is promoted in 3 clicks, in one release", async () => {
  await ask("/messages", { messages: [{ message_category: "AllOfIt", is_deleted: false, languages: [english] }] });
  await save("AllOfIt-1", { user_consent_prompt: "AllOfIt" });
  const { page, goto } = await open();
  await goto("/applications");
  const clicks = await countClicks(page);
  await page.getByRole("link", { name: /^\d+ changes? not in production$/ }).click();
  await page.getByRole("heading", { level: 1, name: "Review changes" }).waitFor();
  await page.getByText("AllOfIt-1").first().waitFor();
  await expectNoViolations(page);
  await publishButton(page).click();
  const dialog = page.getByRole("alertdialog");
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: /^Publish \d+ changes?$/ }).click();
  await page.getByText(/^Published \d+ changes? as release #\d+$/).waitFor();
  expect(await clicks()).toBe(3);
  await page.getByText("Production and staging are the same").waitFor();
  expect(await readProduction("AllOfIt-1")).toMatchObject({ user_consent_prompt: "AllOfIt" });
});

it("L13: yesterday's change is taken back in 4 clicks: history, restore, publish, confirm", async () => {
  await save("Yesterday-1");
  await ask("/releases", { items: "all" });
  const { groups } = await ask("/groups?environment=production&search=Yesterday-1");
  const wanted = groups[0].id;
  await save("Yesterday-1", { rpcs: [show, rpcBody("Alert", ["FULL"])], base_id: wanted });
  await ask("/releases", { items: "all" });
  const { page, goto } = await open();
  await goto("/functionalgroups/manage?name=Yesterday-1&environment=staging");
  const clicks = await countClicks(page);
  await page.getByRole("link", { name: "History", exact: true }).click();
  const history = page.getByRole("region", { name: "History" });
  await history.getByRole("button", { name: `Restore version ${wanted}` }).waitFor();
  await expectNoViolations(page);
  await history.getByRole("button", { name: `Restore version ${wanted}` }).click();
  await publishChosen(page);
  expect(await clicks()).toBe(4);
  expect(await readProduction("Yesterday-1")).toMatchObject({ selected_rpc_count: 1 });
});

it("L12: the newest release is taken back from the list in 2 clicks and a word", async () => {
  await save("Newest-1");
  const { release } = await ask("/releases", { items: "all" });
  const { page, goto } = await open({ width: 390 });
  await goto("/releases");
  const clicks = await countClicks(page);
  await page.getByRole("button", { name: `Roll back to #${release.number - 1}…` }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Type production to go on").fill("production");
  await dialog.getByText("Newest-1").waitFor();
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: `Roll back to #${release.number - 1}` }).click();
  await page.getByText(`Rolled back to release #${release.number - 1}`).waitFor();
  expect(await clicks()).toBe(2);
  expect(await readProduction("Newest-1")).toBeNull();
});

it.each([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)(
  "S11, S13: a release goes to some cars first, is paused, resumed and called off ($width px)",
  async (look) => {
    const name = `Some-${look.width}`;
    await save(name);
    const { page, goto } = await open(look);
    await goto("/changes");
    await publishButton(page).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "To some vehicles first" }).click();
    await dialog.getByRole("button", { name: "Only some countries or head units" }).click();
    await expectNoViolations(page);
    await dialog.getByLabel("Only in countries").fill("WAEGB");
    await dialog.getByRole("button", { name: /^Publish \d+ changes?$/ }).click();
    await page.getByText(/^Published \d+ changes? as release #\d+$/).waitFor();
    const { rollout } = await ask("/rollouts/current");
    expect(rollout).toMatchObject({ state: "running", percent: 1, countries: ["WAEGB"] });

    await goto("/releases");
    const section = page.getByRole("region", { name: `Rollout of release #${rollout.release}` });
    await section.getByText("1 % of vehicles").waitFor();
    await expectNoViolations(page);
    await section.getByRole("button", { name: "Pause" }).click();
    await section.getByText("Paused", { exact: true }).waitFor();
    await expectNoViolations(page);
    await section.getByRole("button", { name: "Resume" }).click();
    await section.getByRole("button", { name: "Next step…" }).click();
    await dialog.getByRole("button", { name: "Go on" }).click();
    await section.getByText("10 % of vehicles").first().waitFor();
    await section.getByRole("button", { name: "Call off…" }).click();
    await dialog.getByRole("button", { name: "Call off" }).click();
    await page.getByText("Rollout called off").waitFor();
    await section.waitFor({ state: "detached" });
    expect([await ask("/rollouts/current"), await readProduction(name)]).toEqual([{ rollout: null }, null]);
  },
);
