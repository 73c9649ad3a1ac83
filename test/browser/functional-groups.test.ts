import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { withConsole } from "@/test/support/browser";
import { countClicks } from "@/test/support/clicks";
import { publishChosen } from "@/test/support/publish";
import { rpcBody } from "@/test/support/releases";
import { eventually } from "@/test/support/vehicle";

/* Functional groups. Each test uses groups of its own; nobody has to sign in. */
const { open, ask } = withConsole();

const save = (name: string, members: Record<string, unknown> = {}) =>
  ask("/groups", { name, is_default: false, rpcs: [rpcBody("Show", ["FULL"])], ...members });

async function read(name: string, environment = "staging"): Promise<any> {
  const { groups } = await ask(`/groups?environment=${environment}&search=${name}`);
  return groups.find((group: { name: string }) => group.name === name) ?? null;
}

const toast = (page: Page, text: string | RegExp) => page.getByRole("listitem").filter({ hasText: text }).waitFor();

it("adding an RPC to a group takes 3 clicks to staging from the list, and 3 more to production", async () => {
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
  expect(await read("Budget-1")).toMatchObject({ status: "STAGING", selected_rpc_count: 2 });

  await page.getByRole("link", { name: "Publish to production" }).click();
  await page.getByRole("button", { name: "Publish 1 change" }).click();
  await expectNoViolations(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish 1 change" }).click();
  await toast(page, /^Published 1 change as release/);
  expect(await clicks()).toBe(6);
  expect(await read("Budget-1", "production")).toMatchObject({ selected_rpc_count: 2 });
});

it("takes 5 clicks or fewer for 5 unmapped permissions that go to one group", async () => {
  // Nothing is unmapped at first: five RPCs that only one group holds are taken out of it.
  const taken = ["CancelInteraction", "CloseApplication", "OnSubtleAlertPressed", "OnUpdateFile", "SubtleAlert"];
  const [group] = (await ask(`/groups?environment=staging&id=${(await read("Base-4")).id}`)).groups;
  await ask("/groups", { ...group, rpcs: group.rpcs.filter(({ name }: any) => !taken.includes(name)) });
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
  expect((await ask("/permissions/unmapped?environment=staging")).permissions).toEqual([]);
  expect(await read("Mapped-1")).toMatchObject({ selected_rpc_count: 6 });
});

it("finding E1: what a change does to apps: finding A4: what every app loses takes its name, and comes back from its page", async () => {
  await save("Everyone-1", { is_default: true });
  await ask("/groups/promote", { id: (await read("Everyone-1")).id });
  const { page, goto, problems } = await open();
  problems.allow(/404/);
  await goto("/functionalgroups/manage?name=Everyone-1&environment=staging");

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
  expect(await goto("/functionalgroups/manage?name=Everyone-1&environment=staging")).toBe(404);
  await page.getByRole("button", { name: "Restore Everyone-1 in staging" }).click();
  // Not its message: the page of a record that is gone may be left by loading the next one anew.
  const restored = await eventually(() => read("Everyone-1"));
  await page.waitForURL(`**/manage?id=${restored.id}&environment=staging`);
  await page.getByRole("checkbox", { name: "Show: FULL" }).waitFor();
  expect(restored).toMatchObject({ is_deleted: false, is_default: true, selected_rpc_count: 1 });
});
