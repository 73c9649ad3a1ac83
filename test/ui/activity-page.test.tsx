import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ActivityPage from "@/app/(console)/activity/page";
import type { AuditEventJson } from "@/lib/platform/audit/schema";
import { api, combobox, expectLink, press, showPage } from "@/test/support/page";

let events: readonly AuditEventJson[] = [];

const listAuditEvents = vi.hoisted(() => vi.fn());
vi.mock("@/lib/platform/audit/queries", () => ({
  listAuditEvents,
  listActors: () => Promise.resolve(["Ada", "directory"]),
}));
const names = {
  ...{ "app:u1": "Pigeonpost", "application:41": "Pigeonpost v3.9.0", "group:Base": "Base", "token:7": "Pipeline" },
};
vi.mock("@/app/(console)/activity/queries", () => ({
  loadEventNames: () => Promise.resolve(new Map(Object.entries(names))),
}));

const anEvent = (partial: Partial<AuditEventJson>): AuditEventJson => ({
  ...{ id: 9, created_ts: "2026-03-01T06:00:00.000Z", revision: 4, actor: "publisher", person_id: null },
  ...{ display_name: "Ada", display_name_verified: true, route: "POST /api/v1/x", request_id: null },
  ...{ action: "groups.promote", target: "group:Base", before: null, after: null },
  ...partial,
});

beforeEach(() => {
  events = [];
  listAuditEvents.mockImplementation(() => Promise.resolve({ events, next_cursor: 7 }));
});

const show = (query: Record<string, string> = {}) => showPage(ActivityPage, "/activity", query);

it("P13: says who did what to which item and why, and leads to the items that exist", async () => {
  const after = { approval_status: "PENDING", denial_message: "privacy complaint", is_blacklisted: true };
  events = [
    anEvent({ id: 9, action: "applications.action", target: "application:41", after }),
    anEvent({ id: 8, action: "groups.delete", target: "group:Gone" }),
  ];
  await show();
  const [, first, second] = within(screen.getByRole("table")).getAllByRole("row");
  expect(first).toHaveTextContent(
    "Ada(verified) (publisher)blocked Pigeonpost v3.9.0status pending, privacy complaint, blocked yes",
  );
  expectLink("Pigeonpost v3.9.0", "/applications/41");
  expect(second).toHaveTextContent("staged the deletion of the functional group Gone");
  expect(screen.queryByRole("link", { name: "Gone" })).not.toBeInTheDocument();
});

it("P13: offers people, items, kinds in words and days to choose, and keeps the choice in the address", async () => {
  const query = { person: "Ada", item: "Base", action: "groups.delete", from: "2026-03-01", to: "2026-03-02" };
  events = [anEvent({})];
  await show(query);
  const days = { from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-03-03T00:00:00Z") };
  expect(listAuditEvents).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(days));
  expect(combobox("Kind")).toHaveDisplayValue("Functional groups: staged the deletion");
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
  const { redraw } = await show({ action: "groups" });
  expect(combobox("Kind")).toHaveDisplayValue("groups");
  await userEvent.type(combobox("Person"), "Ada");
  await redraw({});
  expect(combobox("Person")).toHaveValue("");
  expect(combobox("Kind")).toHaveDisplayValue("All kinds");
});

it("P13: names the filter that is not valid", async () => {
  await show({ from: "yesterday" });
  expect(screen.getByText(/^from must be a time with its zone/)).toBeVisible();
});

describe("P15: whether the audit trail is whole", () => {
  const verify = () => press("Verify all events");
  const setVerdict = (is_whole: boolean, broken_at: number | null) => {
    api.answer = () => ({ data: { is_whole, event_count: 1234, broken_at } });
  };

  it("is asked only when it is told to; the event at which the chain is broken is named", async () => {
    setVerdict(true, null);
    await show();
    expect(api.reads).toEqual([]);
    await verify();
    expect(await screen.findByText("1,234 events verified: none changed, none missing")).toBeVisible();
    expect(api.reads).toEqual(["/api/v1/audit/verify"]);
    setVerdict(false, 77);
    await verify();
    expect(await screen.findByText("The chain of 1,234 events is broken at event 77")).toBeVisible();
    expect(screen.queryByText(/none changed/)).not.toBeInTheDocument();
  });

  it("says when it could not be found out", async () => {
    api.answer = () => ({ status: 503, message: "Service unavailable" });
    await show();
    await verify();
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "The server cannot reach its database right now. Try again in a moment.",
    );
  });
});
