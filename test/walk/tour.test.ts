import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { withConsole } from "@/test/support/browser";

/* Names and numbers are read from docs/tour.md, so that it is the tour that has to be true. */
const { open, ask } = withConsole();
const tour = readFileSync("docs/tour.md", "utf8").replaceAll(/\s+/g, " ");

function read(pattern: RegExp): string[] {
  const [, ...said] = pattern.exec(tour) ?? [];
  if (said.length === 0) throw new Error(`docs/tour.md does not say ${pattern.source}`);
  return said;
}

const effectOf = (page: Page) => page.getByRole("region", { name: "Effect on apps" });
async function add(page: Page, text: string, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Add RPCs or parameters" }).fill(text);
  await page
    .getByRole("option")
    .first()
    .filter({ hasText: new RegExp(`^${name}(RPC|unmapped)`) })
    .and(page.locator("[data-highlighted]"))
    .waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

it("counts what somebody sees who follows the tour", async () => {
  const { page, goto } = await open();

  const [app = ""] = read(/need a decision\. Open `(\w+)`/);
  await goto("/applications?state=review");
  await page.getByRole("link", { name: new RegExp(`^${app}`) }).waitFor();
  const { applications } = await ask(`/applications?approval_status=PENDING&search=${app.toLowerCase()}`);
  for (const approval_status of ["STAGING", "ACCEPTED"]) {
    await ask("/applications/action", { id: applications[0].id, approval_status });
  }

  const [group = "", typed = "", rpc = "", level = ""] = read(
    /In _Functional groups_, open `([\w-]+)`\. 2\. Type `(\w+)` .+? press Enter\. `(\w+)` is now in the group, at (\w+)\./,
  );
  await goto(`/functionalgroups?q=${group}`);
  await page.locator("[data-row-link]").filter({ hasText: group }).first().click();
  await page.getByRole("heading", { level: 1, name: group }).waitFor();
  await add(page, typed, rpc);
  expect(await page.getByRole("checkbox", { name: `${rpc}: ${level}` }).isChecked()).toBe(true);
  const [gaining = "", getting = ""] = read(/(\d+) apps with \w+ gain something, and (\d+) of them get/);
  await effectOf(page).getByText(`${gaining} apps with ${group} gain something`).waitFor();
  await effectOf(page)
    .getByText(new RegExp(`${rpc}.*${getting} apps`))
    .waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved to staging").first().waitFor();
  await page.getByRole("link", { name: "Publish to production" }).click();
  await page.getByRole("button", { name: "Publish 1 change" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish 1 change" }).click();
  await page.getByText(/^Published 1 change as release #\d+$/).waitFor();

  const [other = "", location = "", first = "", second = ""] = read(
    /add `(\w+)` to `([\w-]+)` and set (\w+) and (\w+) as well\./,
  );
  await goto(`/functionalgroups/manage?name=${location}&environment=staging`);
  await add(page, other, "Alert");
  for (const one of [first, second]) await page.getByRole("checkbox", { name: `Alert: ${one}` }).click();
  const [gainer = "", one = "", two = ""] = read(
    /One app gains [\w-]+: (\w+) asked for alerts in the background, and would get `(\w+)` and `(\w+)`/,
  );
  await effectOf(page).getByText(`1 app gains ${location}`).waitFor();
  const effect = await effectOf(page).innerText();
  for (const word of [gainer, one, two]) expect(effect).toContain(word);
  await page.getByRole("button", { name: "Discard" }).click();
  const sure = page.getByRole("alertdialog").getByRole("button", { name: /^Discard/ });
  if (await sure.isVisible()) await sure.click();
  await effectOf(page).getByText(`1 app gains ${location}`).waitFor({ state: "detached" });

  const [languages = "", category = "", language = ""] = read(
    /each of the (\d+) languages is\. Open `(\w+)` in (\w+)\./,
  );
  await goto("/consumermessages");
  await page
    .getByText(new RegExp(`/${languages} languages`))
    .first()
    .waitFor();
  await goto(`/consumermessages/manage?category=${category}&environment=staging&lang=de-de`);
  await page
    .getByText(new RegExp(`^${language}`))
    .first()
    .waitFor();

  const [parameter = ""] = read(/Type `(\w+)`: you see the groups/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill(parameter);
  for (const name of [`contains ${parameter}`, "Requested by", `Add ${parameter} to a group…`]) {
    await page
      .getByRole("option", { name: new RegExp(name) })
      .first()
      .waitFor();
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: parameter }).waitFor();
});
