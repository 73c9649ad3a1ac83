import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

const { open, ask } = withConsole();

it("L20: all about one RPC is 2 clicks away from any page, and leads on to the apps that request it", async () => {
  const { page, goto } = await open();
  await goto("/about");
  const clicks = await countClicks(page);
  await page.getByRole("button", { name: "Search everything" }).click();
  await page.getByRole("combobox", { name: "Search everything" }).fill("alert");
  const options = page.getByRole("group", { name: "RPCs and parameters" }).getByRole("option");
  await options.filter({ hasText: "OnSubtleAlertPressed" }).waitFor();
  expect(await options.first().innerText()).toMatch(/^Alert\b/);
  await options.first().click();
  await page.getByRole("heading", { level: 1, name: "Alert" }).waitFor();
  expect(await clicks()).toBe(2);
  expect(new URL(page.url()).pathname).toBe("/rpcs/Alert");
  await page.getByRole("row", { name: /^Notifications/ }).waitFor();
  await expectNoViolations(page);
  const [{ name }] = (await ask("/ui/permissions/use?rpc=Alert")).apps;
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
});
