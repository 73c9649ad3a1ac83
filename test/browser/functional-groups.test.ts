import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { publishChosen } from "@/test/support/publish";
import { eventually } from "@/test/support/vehicle";

/* Functional groups. Each test uses groups of its own; nobody has to sign in. */
const { open, server } = withConsole();

async function ask(path: string, body?: unknown): Promise<any> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${server().origin}/api/v1${path}`, { ...init, headers });
  const { meta, data } = (await answer.json()) as { meta: { code: number; message: string | null }; data: any };
  return { ...data, code: meta.code, message: meta.message };
}
const levels = (...values: string[]) => values.map((value) => ({ value, selected: true }));
const rpc = (name: string, ...values: string[]) => ({
  name,
  selected: true,
  hmi_levels: levels(...values),
  parameters: [],
});
const save = (name: string, members: Record<string, unknown> = {}) =>
  ask("/groups", { name, is_default: false, rpcs: [rpc("Show", "FULL")], ...members });

/** The newest version of a group, with the RPCs it holds. */
async function read(name: string, environment = "staging"): Promise<any> {
  const { groups } = await ask(`/groups?environment=${environment}&search=${encodeURIComponent(name)}`);
  const found = groups.find((group: any) => group.name === name);
  if (found === undefined) return null;
  const detail = await ask(`/groups?environment=${environment}&id=${found.id}`);
  const rpcs = detail.groups[0].rpcs
    .filter(({ selected }: any) => selected)
    .map(({ name: one, hmi_levels }: any) => [
      one,
      hmi_levels
        .filter(({ selected }: any) => selected)
        .map(({ value }: any) => value)
        .join(" "),
    ]);
  return { ...found, rpcs: Object.fromEntries(rpcs) };
}

const toast = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text }).waitFor();

describe("adding an RPC to a group", () => {
  it("takes 3 clicks to staging from the list, and 3 more to production", async () => {
    await save("Budget-1");
    await ask("/groups/promote", { id: (await read("Budget-1")).id });
    const { page, goto } = await open();
    await goto("/functionalgroups");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Budget-1/ }).click();
    await page.getByRole("heading", { level: 1, name: "Budget-1" }).waitFor();
    await page.getByRole("combobox", { name: "Add RPCs or parameters" }).fill("alertman");
    await page.getByRole("option", { name: /^AlertManeuver/ }).click();
    await page.getByRole("checkbox", { name: "AlertManeuver: FULL" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved to staging");
    expect(await clicks()).toBe(3);
    expect(page.url()).toContain("/functionalgroups/manage");
    expect(await read("Budget-1")).toMatchObject({ status: "STAGING", rpcs: { AlertManeuver: "FULL", Show: "FULL" } });

    await page.getByRole("link", { name: "Publish to production" }).click();
    await page.getByRole("button", { name: "Publish 1 item" }).click();
    await expectNoViolations(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish 1 item" }).click();
    await toast(page, /^Published 1 item as release/);
    expect(await clicks()).toBe(6);
    expect((await read("Budget-1", "production")).rpcs).toEqual({ AlertManeuver: "FULL", Show: "FULL" });
  });

  it("undoes a save by storing the version before again", async () => {
    await save("Undo-1");
    const { page, goto } = await open();
    await goto("/functionalgroups/manage?name=Undo-1&environment=staging");
    await page.getByRole("checkbox", { name: "Show: LIMITED" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved to staging");
    const saved = await read("Undo-1");
    expect(saved.rpcs).toEqual({ Show: "FULL LIMITED" });
    await page.locator("[data-sonner-toast]").getByRole("button", { name: "Undo" }).first().click();
    await expect.poll(async () => (await read("Undo-1")).rpcs).toEqual({ Show: "FULL" });
    expect((await read("Undo-1")).id).toBeGreaterThan(saved.id);
  });
});

describe("what must be in production first", () => {
  it("refuses a group whose prompt is in staging only, in page and API, and promotes both together", async () => {
    const english = { language_id: "en-us", selected: true, tts: "May it?", line1: "May it?" };
    const message = { message_category: "RulePrompt", is_deleted: false, languages: [english] };
    await ask("/messages", { messages: [message] });
    await save("Rule-1", { user_consent_prompt: "RulePrompt" });
    const refused = await ask("/groups/promote", { id: (await read("Rule-1")).id });
    expect([refused.code, refused.message]).toEqual([400, "Consent prompt is not in production: RulePrompt"]);

    const { page, goto } = await open();
    await goto("/functionalgroups?state=modified&q=Rule-1");
    await page.getByText("Staging only").waitFor();
    await page.getByRole("button", { name: "Actions for Rule-1" }).click();
    await page.getByRole("menuitem", { name: "Publish to production" }).click();
    await page.getByText("Blocks:").first().waitFor();
    const off = page.getByRole("button", { name: "Publish 1 item" });
    expect(await off.getAttribute("aria-disabled")).toBe("true");
    await off.click({ force: true });
    expect(await read("Rule-1", "production")).toBeNull();

    await page.getByRole("button", { name: /^Include .*RulePrompt/ }).click();
    await publishChosen(page);
    expect(await read("Rule-1", "production")).toMatchObject({ user_consent_prompt: "RulePrompt" });
  });
});

describe("unmapped permissions", () => {
  it("takes 5 clicks or fewer for 5 permissions that go to one group", async () => {
    // Nothing is unmapped at first: five RPCs that only one group holds are taken out of it.
    const { groups } = await ask("/groups?environment=staging");
    const details = await Promise.all(
      groups.map(async ({ id }: any) => (await ask(`/groups?environment=staging&id=${id}`)).groups[0]),
    );
    const holders = new Map<string, string[]>();
    for (const { name, rpcs } of details) {
      for (const one of rpcs) if (one.selected) holders.set(one.name, [...(holders.get(one.name) ?? []), name]);
    }
    const lonely = details
      .map((group: any) => ({
        group,
        names: group.rpcs
          .filter((one: any) => one.selected && holders.get(one.name)?.length === 1 && !/VehicleData/.test(one.name))
          .map((one: any) => one.name),
      }))
      .find(({ names }: any) => names.length >= 5);
    if (lonely === undefined) throw new Error("no group holds five RPCs alone");
    const taken: string[] = lonely.names.slice(0, 5);
    const kept = lonely.group.rpcs.filter((one: any) => !taken.includes(one.name));
    await ask("/groups", { ...lonely.group, rpcs: kept });
    await save("Mapped-1");

    const { page, goto } = await open();
    await goto("/functionalgroups");
    const clicks = await countClicks(page);
    await page.getByRole("link", { name: /^Unmapped permissions/ }).click();
    await page.getByRole("table", { name: "Unmapped permissions" }).waitFor();
    for (const name of taken) await page.getByRole("row", { name: new RegExp(`^Select ${name}`) }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("checkbox", { name: "Select all rows shown" }).click();
    await page.getByRole("button", { name: "Add to group…" }).click();
    await page.getByRole("combobox", { name: "Group", exact: true }).fill("Mapped-1");
    await page.getByRole("option", { name: "Mapped-1" }).click();
    await expectNoViolations(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved to staging: 5 permissions in Mapped-1");
    expect(await clicks()).toBeLessThanOrEqual(5);
    const left = await ask("/permissions/unmapped?environment=staging");
    expect(left.permissions).toEqual([]);
    expect(Object.keys((await read("Mapped-1")).rpcs).sort()).toEqual([...taken, "Show"].sort());
  });
});

describe("editing", () => {
  it("creates a group, and stays with it", async () => {
    const { page, context, goto } = await open();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await goto("/functionalgroups");
    await page.getByRole("link", { name: "New group" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Fresh-1");
    await page.evaluate(() => navigator.clipboard.writeText("Alert, Show, speed"));
    await page.getByRole("combobox", { name: "Add RPCs or parameters" }).focus();
    await page.keyboard.press("Control+v");
    await page.getByText("Added 3 of 3.").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Fresh-1" }).waitFor();
    await page.waitForURL(/\/functionalgroups\/manage\?id=\d+&environment=staging$/);
    const { rpcs, selected_parameter_count: parameters } = await read("Fresh-1");
    expect(rpcs).toMatchObject({ Alert: "FULL", Show: "FULL", GetVehicleData: "FULL", OnVehicleData: "FULL" });
    expect(parameters).toBe(1);
    // Saved as new, it can be saved again: the page knows the version.
    await page.getByRole("checkbox", { name: "Alert: LIMITED" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(async () => (await read("Fresh-1")).rpcs.Alert).toBe("FULL LIMITED");
  });

  it("somebody else's save in between leads to a choice, RPC by RPC, and loses nothing", async () => {
    await save("Both-1", { rpcs: [rpc("Alert", "FULL"), rpc("Show", "FULL")] });
    const { page, goto, problems } = await open();
    problems.allow(/409/);
    await goto("/functionalgroups/manage?name=Both-1&environment=staging");
    await page.getByRole("checkbox", { name: "Alert: LIMITED" }).click();
    await save("Both-1", { rpcs: [rpc("Alert", "FULL", "NONE"), rpc("Show", "FULL"), rpc("Speak", "FULL")] });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Someone else has saved changes" });
    await dialog.waitFor();
    await expectNoViolations(page);
    await dialog.getByRole("radio", { name: /^Mine/ }).check();
    await dialog.getByRole("button", { name: "Save my choice" }).click();
    await expect
      .poll(async () => (await read("Both-1")).rpcs)
      .toEqual({ Alert: "FULL LIMITED", Show: "FULL", Speak: "FULL" });
  });

  it("does not delete what somebody else has saved meanwhile", async () => {
    await save("Kept-1");
    const { page, goto, problems } = await open();
    problems.allow(/409/);
    await goto("/functionalgroups/manage?name=Kept-1&environment=staging");
    await page.getByRole("button", { name: "Actions for Kept-1" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    await save("Kept-1", { rpcs: [rpc("Alert", "FULL"), rpc("Speak", "FULL")] });
    await dialog.getByRole("button", { name: "Delete the group" }).click();
    await dialog.getByText("Nothing was deleted: someone else has saved Kept-1.").waitFor();
    expect(await read("Kept-1")).toMatchObject({ is_deleted: false });
  });

  it("deletes and restores after saying what that does", async () => {
    await save("Leaving-1");
    const { page, goto } = await open({ width: 390 });
    await goto("/functionalgroups/manage?name=Leaving-1&environment=staging");
    await page.getByRole("button", { name: "Actions for Leaving-1" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page
      .getByRole("alertdialog")
      .getByText(/leaves the staging table at once/)
      .waitFor();
    await page.getByRole("button", { name: "Delete the group" }).click();
    await page.getByText("Marked for deletion").waitFor();
    expect(await read("Leaving-1")).toMatchObject({ is_deleted: true });
    await page.getByRole("button", { name: "Restore…" }).click();
    await page.getByRole("button", { name: "Restore the group" }).click();
    await page.getByRole("button", { name: "Restore…" }).waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Show: FULL" }).waitFor();
    expect(await read("Leaving-1")).toMatchObject({ is_deleted: false });
  });
});

describe("finding E1: what a change does to apps", () => {
  it("names the apps that would get a group they never asked for, in editor and promotion", async () => {
    const gps = { ...rpc("GetVehicleData", "FULL"), parameters: [{ key: "gps", selected: true }] };
    await save("Effect-1", { rpcs: [gps] });
    await ask("/groups/promote", { id: (await read("Effect-1")).id });
    const { page, goto } = await open();
    await goto("/functionalgroups/manage?name=Effect-1&environment=staging");
    const pane = page.getByRole("region", { name: "Effect on apps" });
    await pane.getByText("Make a change to see which apps gain or lose permissions.").waitFor();
    await page.getByRole("combobox", { name: "Add RPCs or parameters" }).fill("alert");
    await page.getByRole("option", { name: /^Alert(?!M)/ }).click();
    await page.keyboard.press("Escape");
    for (const level of ["LIMITED", "BACKGROUND"])
      await page.getByRole("checkbox", { name: `Alert: ${level}` }).click();
    await pane.getByText(/^\d+ apps? gains? Effect-1$/).waitFor();
    await pane
      .getByText(/Pigeonpost/)
      .first()
      .waitFor();
    await pane.getByText("Drivers are not asked.").first().waitFor();
    await expectNoViolations(page);
    expect((await read("Effect-1")).rpcs).toEqual({ GetVehicleData: "FULL" });

    await page.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved to staging");
    await page.getByRole("link", { name: "Publish to production" }).click();
    await page.getByText("By functional group").click();
    const byGroup = page.getByRole("region", { name: "Effect by group" });
    await byGroup.getByText(/^\d+ apps? gains? Effect-1$/).waitFor();
    await byGroup
      .getByText(/GetVehicleData/)
      .first()
      .waitFor();
    await expectNoViolations(page);
  });

  it("finding A4: what every app loses takes its name, and comes back from its page", async () => {
    await save("Everyone-1", { is_default: true });
    await ask("/groups/promote", { id: (await read("Everyone-1")).id });
    const { page, goto, problems } = await open();
    problems.allow(/404/);
    await goto("/functionalgroups/manage?name=Everyone-1&environment=staging");

    async function removeFromProduction() {
      await page.getByRole("button", { name: "Actions for Everyone-1" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      const dialog = page.getByRole("alertdialog");
      await dialog.getByText(/^\d+ apps? loses? Everyone-1: 1 RPC$/).waitFor();
      await expectNoViolations(page);
      await dialog.getByLabel("Type Everyone-1 to go on").fill("Everyone-1");
      await dialog.getByRole("button", { name: "Delete the group" }).click();
      await page.getByText("Marked for deletion").waitFor();
      await page.getByRole("link", { name: "Publish to production" }).click();
      await publishChosen(page, "Everyone-1");
      expect(await read("Everyone-1", "production")).toBeNull();
    }

    await removeFromProduction();
    expect(await goto("/functionalgroups/manage?name=Everyone-1&environment=staging")).toBe(404);
    await page.getByRole("button", { name: "Restore Everyone-1 in staging" }).click();
    // Not its message: the page of a record that is gone may be left by loading the next one anew.
    const restored = await eventually(() => read("Everyone-1"));
    await page.waitForURL(`**/manage?id=${restored.id}&environment=staging`);
    await page.getByRole("checkbox", { name: "Show: FULL" }).waitFor();
    expect(restored).toMatchObject({ is_deleted: false, is_default: true, rpcs: { Show: "FULL" } });
  });
});
