import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { rpcBody } from "@/test/support/releases";

/* The workflows of docs/tour.md by touch on a phone, in as many taps as they take clicks with a mouse. */
const { open, ask } = withConsole();

const save = (name: string, rpcs: readonly string[]) =>
  ask("/groups", { name, is_default: false, rpcs: rpcs.map((rpc) => rpcBody(rpc, ["FULL"])) });
const readGroup = async (name: string) => (await ask(`/groups?environment=staging&search=${name}`)).groups[0];

async function start(path: string) {
  const { page, goto } = await open({ width: 390, height: 844, input: "touch" });
  await goto(path);
  return { page, taps: await countClicks(page) };
}
const decide = (page: Page, name: string) =>
  page.getByRole("region", { name: "Decision", exact: true }).getByRole("button", { name });
const dialogOf = (page: Page) => page.getByRole("alertdialog");

it("approves an app for production in 3 taps", async () => {
  const { page, taps } = await start("/applications");
  await page.getByRole("link", { name: /^Podcat/ }).tap();
  await decide(page, "Approve for production…").tap();
  await dialogOf(page).getByText("Production and staging go from v1.8.2 to v2.0.0.").waitFor();
  await dialogOf(page).getByRole("button", { name: "Approve for production", exact: true }).tap();
  await page.locator("h1 + span", { hasText: "Approved" }).waitFor();
  expect(await taps()).toBe(3);
});

it("moves an app to staging in 2 taps", async () => {
  const { page, taps } = await start("/applications");
  await page.getByRole("link", { name: /^Ringwell/ }).tap();
  await decide(page, "Approve to staging").tap();
  await page.locator("h1 + span", { hasText: "In staging" }).waitFor();
  expect(await taps()).toBe(2);
});

it("stops an app from the list in 3 taps and its name", async () => {
  const { page, taps } = await start("/applications?state=accepted");
  await page.getByRole("button", { name: "Actions for Pigeonpost" }).tap();
  await page.getByRole("menuitem", { name: "Block…" }).tap();
  await dialogOf(page).getByLabel("Type Pigeonpost to go on").fill("Pigeonpost");
  await dialogOf(page).getByRole("button", { name: "Block without a reason" }).tap();
  await page.getByText("Pigeonpost is blocked").waitFor();
  expect(await taps()).toBe(3);
});

it("adds an RPC to a group in 3 taps, publishes it in 3 more, and takes that back in 2 and a word", async () => {
  await save("Touched-1", ["Show"]);
  await ask("/releases", { items: "all" });
  const { page, taps } = await start("/functionalgroups");
  await page.getByRole("link", { name: /^Touched-1/ }).tap();
  await page.getByRole("combobox", { name: "Add RPCs or parameters" }).fill("alertman");
  await page.getByRole("option", { name: /^AlertManeuver/ }).tap();
  await page.getByRole("checkbox", { name: "AlertManeuver: FULL" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await page.getByRole("listitem").filter({ hasText: "Saved to staging" }).waitFor();
  expect(await taps()).toBe(3);
  await page.getByRole("link", { name: "Publish to production" }).tap();
  await page.getByRole("button", { name: "Publish 1 change" }).tap();
  await dialogOf(page).getByRole("button", { name: "Publish 1 change" }).tap();
  await page.getByText(/^Published 1 change as release #\d+$/).waitFor();
  expect(await taps()).toBe(6);

  const [{ number }] = (await ask("/releases")).releases;
  await page.goto("/releases");
  const before = await taps();
  await page.getByRole("button", { name: `Roll back to #${number - 1}…` }).tap();
  await dialogOf(page).getByLabel("Type production to go on").fill("production");
  await dialogOf(page).getByText("Touched-1").waitFor();
  await dialogOf(page)
    .getByRole("button", { name: `Roll back to #${number - 1}` })
    .tap();
  await page.getByText(`Rolled back to release #${number - 1}`).waitFor();
  expect((await taps()) - before).toBe(2);
});

it("puts 5 unmapped permissions into a group in 5 taps", async () => {
  const taken = ["CancelInteraction", "CloseApplication", "OnSubtleAlertPressed", "OnUpdateFile", "SubtleAlert"];
  const { id } = await readGroup("Base-4");
  const [group] = (await ask(`/groups?environment=staging&id=${id}`)).groups;
  await ask("/groups", { ...group, rpcs: group.rpcs.filter(({ name }: any) => !taken.includes(name)) });
  await save("Touched-2", ["Show"]);
  const { page, taps } = await start("/functionalgroups");
  await page.getByRole("link", { name: /^Unmapped permissions/ }).tap();
  await page.getByRole("checkbox", { name: "Select SubtleAlert" }).waitFor();
  await page.getByRole("checkbox", { name: "Select all shown" }).tap();
  await page.getByRole("button", { name: "Add to group…" }).tap();
  await page.getByRole("combobox", { name: "Group", exact: true }).fill("Touched-2");
  await page.getByRole("option", { name: "Touched-2" }).tap();
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await page.getByText("Saved to staging: 5 permissions in Touched-2").first().waitFor();
  expect(await taps()).toBe(5);
});

it("shows what a vehicle gets in 5 taps: the menu, policy table, Vehicle, the app, Run", async () => {
  const { page, taps } = await start("/applications");
  await page.getByRole("button", { name: "Sections" }).tap();
  await page.getByRole("link", { name: "Policy table" }).tap();
  await page.getByRole("link", { name: "Vehicle", exact: true }).tap();
  await page.getByRole("combobox", { name: "Apps of the vehicle" }).fill("wayfold");
  await page.getByRole("option", { name: /^Wayfold Navigation/ }).tap();
  await page.getByRole("button", { name: "Run" }).tap();
  await page.getByRole("heading", { level: 2, name: "Wayfold Navigation" }).waitFor();
  expect(await taps()).toBe(5);
});
