import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

const { open, ask } = withConsole();

it("X13: the configuration goes to another server in at most 4 clicks, and nothing differs there afterwards", async () => {
  const { page, goto } = await open();
  await goto("/exchange");
  await expectNoViolations(page);
  const clicks = await countClicks(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download staging" }).click(),
  ]);
  const document = JSON.parse(await readFile(await download.path(), "utf8"));
  const group = { name: "Brought-1", rpcs: [{ name: "Show", hmi_levels: ["FULL"] }] };
  const whole = JSON.stringify({ ...document, groups: [...document.groups, group] }, null, 2);
  const file = { name: "policy.json", mimeType: "application/json", buffer: Buffer.from(whole) };

  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByLabel(/^Choose a file/).click()]);
  await chooser.setFiles(file);
  await page.getByText(/: 1 to add$/).waitFor();
  await page.getByText("Brought-1").click();
  await expectNoViolations(page);
  await page.getByRole("button", { name: "Import 1 item into staging" }).click();
  await page.getByText("Imported 1 item into staging").waitFor();
  // One of them opened what nobody has to open.
  expect((await clicks()) - 1).toBeLessThanOrEqual(4);
  expect((await ask("/groups?environment=staging&search=Brought-1")).groups).toHaveLength(1);

  await page.getByLabel(/^Choose a file/).setInputFiles(file);
  await page.getByText(/: nothing differs from staging$/).waitFor();
});
