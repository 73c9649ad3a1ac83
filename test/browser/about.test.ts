import { expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";

const { open } = withConsole({ env: { EXAMPLE_DIRECTORY: "true" } });

it("says of each setting how it is, in words, and leads to its guide in a new tab", async () => {
  const { page, goto } = await open();
  await goto("/about");
  const password = page.getByRole("listitem").filter({ hasText: "Password:" });
  expect(await password.innerText()).toMatch(/Not needed[\s\S]*Attention/);
  const guide = page.getByRole("link", { name: "Guide for this page (new tab)" });
  expect(await guide.getAttribute("target")).toBe("_blank");
});

it("reads the app directory on demand and shows how it went", async () => {
  const { page, goto } = await open();
  await goto("/about");
  const button = page.getByRole("button", { name: "Sync now" });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
  await page.getByText("Reading apps and lists from the app directory").waitFor();
  const apps = page.getByRole("listitem").filter({ has: page.getByText("Apps", { exact: true }) });
  await expect.poll(() => apps.first().innerText()).toMatch(/Done[\s\S]*Last run/);
});
