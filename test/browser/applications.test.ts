import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { settle } from "@/test/support/settle";

const { open, server } = withConsole();

/** Asks the API of the server under test. */
async function ask(path: string): Promise<any> {
  const answer = await fetch(`${server().origin}/api/v1${path}`);
  return ((await answer.json()) as { data: unknown }).data;
}

/** The newest version of an app of the example data. */
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
    // The policy in service follows by itself.
    await page.getByRole("link", { name: "Policy", exact: true }).click();
    await page
      .getByRole("group", { name: "Environment of the preview" })
      .getByRole("button", { name: "Production" })
      .click();
    await page.getByRole("tree", { name: "Entry in production" }).getByText("Podcat Live").first().waitFor();
  });

  it("1: to staging in 2 clicks, and back with Undo", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Ringwell/ }).click();
    await decisionOf(page, "Approve to staging").click();
    await state(page, "In staging").waitFor();
    expect(await clicks()).toBe(2);
    expect(await findApp("ringwell")).toMatchObject({ approval_status: "STAGING" });
    await page.getByRole("button", { name: "Undo" }).click();
    await state(page, "Pending").waitFor();
    expect(await findApp("ringwell")).toMatchObject({ approval_status: "PENDING" });
  });

  it("1: with keys alone: j, Enter, 2, Ctrl-Enter", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    const clicks = await countClicks(page);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/applications\/\d+$/);
    await settle(page);
    const name = await page.locator("h1").innerText();
    await page.keyboard.press("2");
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.press("Control+Enter");
    await state(page, "Approved").waitFor();
    expect(await clicks()).toBe(0);
    expect(await findApp(name)).toMatchObject({ approval_status: "ACCEPTED" });
  });

  it("7: stop an accepted app from the list: 3 clicks; Revert leads to the way back", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=accepted");
    const clicks = await countClicks(page);
    await page.getByRole("button", { name: "Actions for Pigeonpost" }).click();
    await page.getByRole("menuitem", { name: "Block…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByLabel("Reason (optional)").fill("Floods the driver with alerts");
    await question.getByLabel("Type Pigeonpost to go on").fill("Pigeonpost");
    await question.getByRole("button", { name: "Block with this reason" }).click();
    await page.getByText("Pigeonpost is blocked").waitFor();
    expect(await clicks()).toBe(3);
    expect(await findApp("pigeonpost")).toMatchObject({
      is_blacklisted: true,
      approval_status: "LIMITED",
      denial_message: "Floods the driver with alerts",
    });
    await page.getByRole("link", { name: /^Pigeonpost/ }).waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Revert…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unblock" }).click();
    await state(page, "Approved").waitFor();
    expect(await findApp("pigeonpost")).toMatchObject({ is_blacklisted: false, approval_status: "ACCEPTED" });
  });

  it("7: block from the page of an accepted app in 3 clicks, and remove from the blocked ones", async () => {
    const { page, goto } = await open();
    const { id } = await findApp("fleetbook");
    await goto("/applications?state=accepted");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Fleetbook/ }).click();
    await decisionOf(page, "Block…").click();
    await page.getByLabel("Type Fleetbook to go on").fill("Fleetbook");
    await page.getByRole("button", { name: "Block without a reason" }).click();
    await state(page, "Blocked").waitFor();
    expect(await clicks()).toBe(3);
    await page.getByText("This app is blocked").waitFor();

    await decisionOf(page, "Unblock…").click();
    await page.getByRole("button", { name: "Unblock", exact: true }).click();
    await state(page, "Limited").waitFor();
    expect((await ask(`/applications?id=${id}`)).applications[0]).toMatchObject({ is_blacklisted: false });
  });
});

describe("the page of an app", () => {
  it("denies with a reason, and shows it", async () => {
    const { page, goto } = await open();
    const { id } = await findApp("backseat quiz");
    await goto(`/applications/${id}`);
    await decisionOf(page, "Limit…").click();
    await page.getByLabel("Reason (optional)").fill("Not while driving,\nplease");
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Limit with this reason" }).click();
    await state(page, "Limited").waitFor();
    await page.getByText("Not while driving,").waitFor();
    expect(await findApp("backseat quiz")).toMatchObject({
      approval_status: "LIMITED",
      denial_message: "Not while driving,\nplease",
    });
  });

  it("grants nothing in an accepted version, and says why; in staging the policy follows a grant", async () => {
    const { page, goto } = await open();
    const { id } = await findApp("courtyard");
    await goto(`/applications/${id}?tab=permissions`);
    const grants = page.getByRole("region", { name: "Manual grants" });
    await grants
      .getByText("Approved versions cannot be changed. Move this version to staging to change its grants.")
      .waitFor();
    expect(await grants.getByRole("switch", { name: "ProprietaryData-3" }).isDisabled()).toBe(true);
    await grants.getByRole("button", { name: "Move to staging…" }).click();
    await page.getByLabel(/^Type production/).fill("production");
    await page.getByRole("alertdialog").getByRole("button", { name: "Move to staging" }).click();
    await state(page, "In staging").waitFor();
    await grants.getByRole("switch", { name: "ProprietaryData-3" }).click();
    await page.getByRole("link", { name: "Policy", exact: true }).click();
    await page.getByRole("tree", { name: "Entry in staging" }).getByText("ProprietaryData-3").waitFor();
    await page
      .getByRole("group", { name: "Environment of the preview" })
      .getByRole("button", { name: "Production" })
      .click();
    await page.getByText("No version has permissions in production").waitFor();
  });

  it("on a phone the next decision stays at hand", async () => {
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
});

describe("the list", () => {
  it("section 7: the address says all, and the way back from an app leads to it", async () => {
    const { page, goto } = await open();
    await goto("/applications");
    await page.getByRole("link", { name: /^All/ }).click();
    await page.waitForURL("**/applications?state=all");
    await page.keyboard.press("/");
    await page.keyboard.type("audio");
    await page.waitForURL("**/applications?state=all&q=audio");
    await page.getByRole("button", { name: "Platform" }).click();
    await page.getByRole("menuitemradio", { name: "ANDROID" }).click();
    await page.waitForURL("**/applications?state=all&q=audio&platform=ANDROID");
    const rows = () => page.getByRole("row").count();
    const shown = await rows();
    await page.reload();
    await settle(page);
    expect(await rows()).toBe(shown);
    await page.getByRole("link", { name: /^Roadtune/ }).click();
    await page.waitForURL(/\/applications\/\d+$/);
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link", { name: "Applications" }).click();
    await page.waitForURL("**/applications?state=all&q=audio&platform=ANDROID");
  });

  it("[ and ] lead through the list the reader came from", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=all&sort=name");
    await page.getByRole("link", { name: /^Backseat Quiz/ }).click();
    await page.getByRole("heading", { level: 1, name: "Backseat Quiz" }).waitFor();
    await page.keyboard.press("]");
    await page.getByRole("heading", { level: 1, name: "Bench Buddy" }).waitFor();
    await page.keyboard.press("[");
    await page.getByRole("heading", { level: 1, name: "Backseat Quiz" }).waitFor();
  });

  it("narrows to what is chosen behind More filters, and the export with it", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=all");
    await page.getByRole("button", { name: "More filters" }).click();
    const dialog = page.getByRole("dialog", { name: "More filters" });
    const service = dialog.getByRole("combobox", { name: "Service type" });
    await service.and(page.locator("[aria-autocomplete=list]")).waitFor();
    await service.fill("medi");
    await page.getByRole("option", { name: /^Media/ }).click();
    await dialog.getByLabel("Live version").selectOption({ label: "In production" });
    await expectNoViolations(page);
    await dialog.getByRole("button", { name: "Show apps" }).click();
    await page.waitForURL("**/applications?state=all&service=MEDIA&live=yes");
    await page.getByRole("link", { name: "Remove filter Live version: In production" }).waitFor();
    await page.getByRole("button", { name: "More filters, 2 on" }).waitFor();
    const { applications } = (await (
      await fetch(`${server().origin}/api/v1/ui/applications/export?state=all&service=MEDIA&live=yes&format=json`)
    ).json()) as { applications: { name: string }[] };
    expect(applications.length).toBeGreaterThan(0);
    await settle(page);
    expect(await page.locator("tbody [data-row-link]").count()).toBe(applications.length);
  });

  it("a column that gives way on this screen comes when it is chosen", async () => {
    const { page, goto } = await open({ width: 1000 });
    await goto("/applications?state=all");
    const category = page.getByRole("columnheader", { name: "Category" });
    expect(await category.count()).toBe(0);
    await page.getByRole("button", { name: "Columns and density" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Category", checked: false }).click();
    await category.waitFor();
    await page.reload();
    await settle(page);
    await category.waitFor();
    await expectNoSidewaysScrolling(page);
  });

  it("on a phone sorts and selects without the head of the table, which no key leads to", async () => {
    const { page, goto } = await open({ width: 390, height: 844 });
    await goto("/applications?state=all");
    await page.getByRole("button", { name: /^Sort/ }).click();
    await page.getByRole("menuitemradio", { name: "App, ascending" }).click();
    await page.waitForURL("**/applications?state=all&sort=name");
    await page.getByRole("button", { name: /^Sort ?App, ascending/ }).waitFor();
    await page.getByRole("checkbox", { name: "Select all shown" }).click();
    // The vendor stands below the name; before it stand the initials of an icon that cannot be loaded.
    const texts = await page.locator("tbody [data-row-link]").allInnerTexts();
    const names = texts.map((text) => text.split("\n").at(-2) ?? "");
    await page.getByRole("group", { name: "Selected rows" }).getByText(`${names.length} selected`).waitFor();
    expect(names.map((name) => name.toLowerCase())).toEqual(names.map((name) => name.toLowerCase()).toSorted());
    await expectNoSidewaysScrolling(page);
    await expectNoViolations(page);
    // From the last of these tools the next stop is in the first card.
    await page.getByRole("checkbox", { name: "Select all shown" }).focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("thead, tbody")?.tagName)).toBe("TBODY");
  });

  it("section 7: export equals the filter", async () => {
    const { page, goto } = await open();
    await goto("/applications?state=all&platform=EMBEDDED");
    await page.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "2 applications as JSON" }).click();
    const stream = await (await download).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    const { applications } = JSON.parse(text) as { applications: { name: string }[] };
    expect(applications.map(({ name }) => name).sort()).toEqual(["Backseat Quiz", "Courtyard Radio"]);
  });
});
