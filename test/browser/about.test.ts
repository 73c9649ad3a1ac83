import { expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";
import { settle } from "@/test/support/settle";

// Nobody answers there.
const UPDATE_CHECK_URL = "http://127.0.0.1:9/version.json";
const { open } = withConsole({ env: { EXAMPLE_DIRECTORY: "true", ENCRYPTION_REQUIRED: "true", UPDATE_CHECK_URL } });

it("says of each setting how it is, in words", async () => {
  const { page, goto } = await open();
  await goto("/about");
  const line = (name: string) => page.getByRole("listitem").filter({ hasText: `${name}:` });
  expect(await line("Password").innerText()).toMatch(/Not needed[\s\S]*Attention/);
  expect(await line("RPC encryption").innerText()).toMatch(/Required for automatically approved apps[\s\S]*OK/);
  expect(await line("Automatic approval").innerText()).toContain("Off");
  expect(await line("Caching").innerText()).toMatch(/No module[\s\S]*Off/);
  expect(await line("E-mail about pending apps").innerText()).toMatch(/Never \(DISABLED\)[\s\S]*Off/);
  expect(await page.getByText("Could not check for updates").count()).toBe(1);
  expect(await page.getByText("Current", { exact: true }).count()).toBe(0);
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

it("keeps the choices of the reader in this browser", async () => {
  const { page, goto } = await open();
  await goto("/you");
  const show = () => page.getByRole("button", { name: "Change preferences" }).click();
  await show();
  await page.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.reload();
  await settle(page);
  await show();
  await expect
    .poll(() => page.getByRole("switch", { name: "Single-key shortcuts" }).getAttribute("aria-checked"))
    .toBe("false");
});
