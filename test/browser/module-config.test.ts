import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { type ConsolePage, withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const { open, server } = withConsole();

const stored = async (environment: string) => {
  const answer = await fetch(`${server().origin}/api/v1/module?environment=${environment}`);
  return (await answer.json()).data.module_configs[0];
};
const timeout = (page: ConsolePage["page"]) => page.getByLabel("Timeout", { exact: true });
const days = (page: ConsolePage["page"]) => page.getByLabel("Days", { exact: true });
const saved = (page: ConsolePage["page"]) => page.getByText("Saved to staging").first().waitFor();

it("saves to staging and stays, then promotes what is saved", async () => {
  const { page, goto } = await open();
  await goto("/moduleconfig");
  await timeout(page).fill("45");
  await page.getByRole("button", { name: "Remove pause 5" }).click();
  await page.getByRole("button", { name: "Move pause 1 down" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved(page);
  expect(await stored("staging")).toMatchObject({
    status: "STAGING",
    timeout_after_x_seconds: 45,
    seconds_between_retries: [5, 1, 25, 125],
  });
  expect((await stored("production")).timeout_after_x_seconds).toBe(60);
  await page.getByText("production: 60").waitFor();

  await page.getByLabel("Days", { exact: true }).fill("31");
  await page.getByRole("button", { name: "Publish to production" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Publish with unsaved changes?" });
  await dialog.waitFor();
  await expectNoViolations(page);
  await dialog.getByRole("button", { name: "Publish saved version" }).click();
  await publishChosen(page);
  expect(await stored("production")).toMatchObject({ timeout_after_x_seconds: 45, exchange_after_x_days: 30 });
  await page.getByRole("link", { name: "Module config", exact: true }).first().click();
  // What was not saved is still there, and its save is no conflict with the own promotion.
  expect(await days(page).inputValue()).toBe("31");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => stored("staging")).toMatchObject({ status: "STAGING", exchange_after_x_days: 31 });
});

it("somebody else's save is shown, and what only one side changed is kept", async () => {
  const { page, goto, problems } = await open();
  problems.allow(/409/);
  await goto("/moduleconfig");
  await timeout(page).fill("50");
  const { id: _id, ...current } = await stored("staging");
  await fetch(`${server().origin}/api/v1/module`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...current, exchange_after_x_ignition_cycles: 77 }),
  });
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Someone else has saved changes" });
  await dialog.getByRole("button", { name: "Save my choice" }).click();
  await saved(page);
  expect(await stored("staging")).toMatchObject({ timeout_after_x_seconds: 50, exchange_after_x_ignition_cycles: 77 });
});
