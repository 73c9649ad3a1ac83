import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import ActivityPage from "@/app/(console)/activity/page";
import type { AuditEventJson } from "@/lib/platform/audit/schema";
import { stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";

let asked: unknown;
let events: readonly AuditEventJson[] = [];

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("@/lib/platform/audit/queries", () => ({
  listAuditEvents: (query: unknown) => {
    asked = query;
    return Promise.resolve({ events, next_cursor: 7 });
  },
  listActors: () => Promise.resolve(["Ada", "directory"]),
}));
vi.mock("@/lib/console/activity", () => ({
  loadEventNames: () =>
    Promise.resolve(
      new Map([
        ["app:u1", "Pigeonpost"],
        ["application:41", "Pigeonpost v3.9.0"],
        ["group:Base", "Base"],
        ["token:7", "Pipeline"],
      ]),
    ),
}));

const anEvent = (partial: Partial<AuditEventJson>): AuditEventJson => ({
  ...{ id: 9, created_ts: "2026-03-01T06:00:00.000Z", revision: 4, actor: "publisher", person_id: null },
  ...{ display_name: "Ada", display_name_verified: true, route: "POST /api/v1/x", request_id: null },
  ...{ action: "groups.promote", target: "group:Base", before: null, after: null },
  ...partial,
});

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  stubApi(() => ({ data: {} }));
  events = [];
});

async function show(query: Record<string, string> = {}) {
  render(await ActivityPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) }));
}

it("P13: says who did what to which item and why, and leads to the items that exist", async () => {
  const after = { approval_status: "PENDING", denial_message: "privacy complaint", is_blacklisted: true };
  events = [
    anEvent({ id: 9, action: "applications.action", target: "application:41", after }),
    anEvent({ id: 8, action: "groups.delete", target: "group:Gone" }),
  ];
  await show();
  const [, first, second] = within(screen.getByRole("table")).getAllByRole("row");
  expect(first).toHaveTextContent("Ada(verified) (publisher)blocked Pigeonpost v3.9.0: privacy complaint");
  expect(screen.getByRole("link", { name: "Pigeonpost v3.9.0" })).toHaveAttribute("href", "/applications/41");
  expect(second).toHaveTextContent("deleted the functional group Gone in staging");
  expect(screen.queryByRole("link", { name: "Gone" })).not.toBeInTheDocument();
});

it("P13: offers people, items, kinds in words and days to choose, and keeps the choice in the address", async () => {
  const query = { person: "Ada", item: "Base", action: "groups.delete", from: "2026-03-01", to: "2026-03-02" };
  events = [anEvent({})];
  await show(query);
  expect(asked).toMatchObject({ from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-03-03T00:00:00Z") });
  expect(screen.getByRole("combobox", { name: "Kind" })).toHaveDisplayValue("Functional groups: deleted in staging");
  expect(screen.getByLabelText("From day (UTC)")).toHaveValue("2026-03-01");
  const suggestions = (name: string) => {
    const list = screen.getByRole("combobox", { name }).getAttribute("list") ?? "";
    return Array.from(document.getElementById(list)?.querySelectorAll("option") ?? [], (option) => option.value);
  };
  expect(suggestions("Person")).toEqual(["Ada", "directory"]);
  expect(suggestions("Item")).toEqual(["Pigeonpost", "Base"]);
  const href = screen.getByRole("link", { name: "Older" }).getAttribute("href") ?? "";
  expect(Object.fromEntries(new URL(href, "http://x").searchParams)).toEqual({ ...query, cursor: "7" });
});

it("P13: the fields show what is filtered by now, whatever was typed before", async () => {
  const page = async (query: Record<string, string>) =>
    ActivityPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) });
  const { rerender } = render(await page({ action: "groups" }));
  expect(screen.getByRole("combobox", { name: "Kind" })).toHaveDisplayValue("groups");
  await userEvent.type(screen.getByRole("combobox", { name: "Person" }), "Ada");
  rerender(await page({}));
  expect(screen.getByRole("combobox", { name: "Person" })).toHaveValue("");
  expect(screen.getByRole("combobox", { name: "Kind" })).toHaveDisplayValue("All kinds");
});

it("P13: names the filter that is not valid", async () => {
  await show({ from: "yesterday" });
  expect(screen.getByText(/^from must be a time with its zone/)).toBeVisible();
});
