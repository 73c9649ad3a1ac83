import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { publishChosen } from "@/test/support/publish";

const { open, ask } = withConsole();

const stored = async (environment: string) => (await ask(`/module?environment=${environment}`)).module_configs[0];

it("saves to staging and stays, then promotes what is saved", async () => {
  const { page, goto } = await open();
  await goto("/moduleconfig");
  await page.getByLabel("Timeout", { exact: true }).fill("45");
  await page.getByRole("button", { name: "Remove pause 5" }).click();
  await page.getByRole("button", { name: "Move pause 1 down" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved to staging").first().waitFor();
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
  expect(await page.getByLabel("Days", { exact: true }).inputValue()).toBe("31");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => stored("staging")).toMatchObject({ status: "STAGING", exchange_after_x_days: 31 });
});
