import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";

/* The name under which changes are recorded. */

const { open, server } = withConsole({ env: basicAuth });

async function readEvents(): Promise<any[]> {
  const headers = { "basic-auth-password": consolePassword };
  const answer = await fetch(`${server().origin}/api/v1/audit?limit=1`, { headers });
  return ((await answer.json()) as { data: { events: any[] } }).data.events;
}
const newestName = async () => (await readEvents())[0]?.display_name as string | null | undefined;

const looks = [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
] as const;

it.each(looks)("is asked for once and kept with what is changed from then on, %s at %i px", async (theme, width) => {
  const { page, goto } = await open({ theme, width, signedIn: true });
  await goto("/applications?state=all");
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const flag = page.getByRole("switch", { name: /^Administrator groups/ });
  await flag.click();
  const hint = page.getByRole("link", { name: "Set a display name" });
  await hint.waitFor();
  // On a narrow screen a toast lies over switches, of which axe then sees the half.
  if (width === 1280) await expectNoViolations(page);
  await expectNoSidewaysScrolling(page);
  expect(await newestName()).toBeNull();

  await hint.click();
  await page.waitForURL(/\/you#preferences$/);
  const field = page.getByRole("textbox", { name: "Display name" });
  await field.fill("Jörg 字");
  await expectNoViolations(page);
  await expectNoSidewaysScrolling(page);

  await page.goBack();
  await flag.click();
  await expect.poll(newestName).toBe("Jörg 字");
  await page.reload();
  await flag.click();
  await expect.poll(async () => (await readEvents())[0]?.action).toBe("applications.administrator");
  expect(await newestName()).toBe("Jörg 字");
  expect(await hint.count()).toBe(0);
});
