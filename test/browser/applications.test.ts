import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";

const { open, ask } = withConsole();

async function findApp(name: string): Promise<any> {
  const { applications } = await ask(`/applications?search=${encodeURIComponent(name)}`);
  return applications[0];
}

const decisionOf = (page: Page, name: string) =>
  page.getByRole("region", { name: "Decision" }).getByRole("button", { name });
const state = (page: Page, word: string) => page.locator("h1 + span", { hasText: word });

describe("workflows, in pointer actions", () => {
  it("1: review a pending app, see what changed, approve for production: 3 clicks", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Podcat/ }).click();
    await page.getByText(/, the version in production/).waitFor();
    expect(await page.getByRole("region", { name: /^Changes/ }).innerText()).toContain("gps at FULL");
    await decisionOf(page, "Approve for production…").click();
    await page.getByRole("alertdialog").getByText("Production and staging go from v1.8.2 to v2.0.0.").waitFor();
    await page.getByRole("button", { name: "Approve for production", exact: true }).click();
    await state(page, "Approved").waitFor();
    expect(await clicks()).toBe(3);
    expect(await findApp("podcat")).toMatchObject({ version_id: 4388, approval_status: "ACCEPTED" });
    await page.getByRole("link", { name: "Policy", exact: true }).click();
    await page
      .getByRole("group", { name: "Environment of the preview" })
      .getByRole("button", { name: "Production" })
      .click();
    await page.getByRole("tree", { name: "Entry in production" }).getByText("Podcat Live").first().waitFor();
  });

  it("1: to staging in 2 clicks", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Ringwell/ }).click();
    await decisionOf(page, "Approve to staging").click();
    await state(page, "In staging").waitFor();
    expect(await clicks()).toBe(2);
    expect(await findApp("ringwell")).toMatchObject({ approval_status: "STAGING" });
  });

  it("7: stop an accepted app from the list: 3 clicks", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=accepted");
    const clicks = await countClicks(page);
    await page.getByRole("button", { name: "Actions for Pigeonpost" }).click();
    await page.getByRole("menuitem", { name: "Block…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByLabel("Reason (optional)").fill("Floods the driver with alerts");
    await question.getByLabel("Type Pigeonpost to go on").fill("Pigeonpost");
    await expectNoViolations(page);
    await question.getByRole("button", { name: "Block with this reason" }).click();
    await page.getByText("Pigeonpost is blocked").waitFor();
    expect(await clicks()).toBe(3);
    expect(await findApp("pigeonpost")).toMatchObject({
      is_blacklisted: true,
      approval_status: "LIMITED",
      denial_message: "Floods the driver with alerts",
    });
    await page.getByRole("link", { name: /^Pigeonpost/ }).waitFor({ state: "detached" });
  });

  it("7: block from the page of an accepted app in 3 clicks", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=accepted");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Fleetbook/ }).click();
    await decisionOf(page, "Block…").click();
    await page.getByLabel("Type Fleetbook to go on").fill("Fleetbook");
    await page.getByRole("button", { name: "Block without a reason" }).click();
    await state(page, "Blocked").waitFor();
    expect(await clicks()).toBe(3);
    await page.getByText("This app is blocked").waitFor();
  });
});

it("the page of an app: on a phone the next decision stays at hand", async () => {
  const { page, goto } = await open({ width: 390, height: 844 });
  const { id } = await findApp("bench buddy");
  await goto(`/applications/${id}?tab=details`);
  await page.getByRole("region", { name: "Versions" }).scrollIntoViewIfNeeded();
  const bar = page.getByRole("button", { name: "Approve for production…" }).last();
  expect(await bar.isVisible()).toBe(true);
  await bar.click();
  await page.getByRole("alertdialog").waitFor();
  await expectNoSidewaysScrolling(page);
  await expectNoViolations(page);
});

describe("the list", () => {
  it("narrows to what is chosen behind More filters", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=all");
    await page.getByRole("button", { name: "More filters" }).click();
    const dialog = page.getByRole("dialog", { name: "Filters" });
    const service = dialog.getByRole("combobox", { name: "Service type" });
    await service.and(page.locator("[aria-autocomplete=list]")).waitFor();
    await service.fill("medi");
    await page.getByRole("option", { name: /^Media/ }).click();
    await dialog.getByLabel("In production").selectOption({ label: "Any version" });
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Show apps" }).click();
    await page.waitForURL("**/applications?state=all&service=MEDIA&live=yes");
    await page.getByRole("link", { name: "Remove filter Service: MEDIA" }).waitFor();
  });

  it("on a phone sorts and selects without the head of the table, which no key leads to", async () => {
    const { page, goto } = await open({ width: 390, height: 844 });
    await goto("/applications?state=all");
    await page.getByRole("button", { name: /^Sort/ }).click();
    await page.getByRole("menuitemradio", { name: "App, ascending" }).click();
    await page.waitForURL("**/applications?state=all&sort=name");
    await page.getByRole("button", { name: /^Sort ?App, ascending/ }).waitFor();
    await page.getByRole("checkbox", { name: "Select all shown" }).click();
    await page.getByRole("region", { name: "Selected rows" }).waitFor();
    await expectNoSidewaysScrolling(page);
    await expectNoViolations(page);
    // From the last of these tools the next stop is in the first card.
    await page.getByRole("checkbox", { name: "Select all shown" }).focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("thead, tbody")?.tagName)).toBe("TBODY");
  });
});
