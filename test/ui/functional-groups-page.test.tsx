import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import FunctionalGroupsPage from "@/app/(console)/functionalgroups/(list)/page";
import type { GroupList } from "@/lib/records/groups/console-queries";
import type { GroupRow } from "@/lib/records/groups/console-rows";
import { log } from "@/lib/platform/log";
import type { UncoveredPermission } from "@/lib/records/groups/coverage";
import { router } from "@/test/support/navigation";
import { api, button, checkbox, expectLink, expectRedirect, isOff, press, showPage, type } from "@/test/support/page";

let list: GroupList;
let uncovered: UncoveredPermission[] | null = [];

vi.mock("@/lib/records/groups/console-queries", () => ({ loadGroupList: () => Promise.resolve(list) }));
vi.mock("@/lib/records/groups/queries", () => ({ listGroupNames: () => Promise.resolve(["Base-4", "Location-1"]) }));
vi.mock("@/lib/records/groups/coverage", () => ({
  listUncovered: () => (uncovered ? Promise.resolve(uncovered) : Promise.reject(new Error("no coverage"))),
}));

const aRow = (partial: Partial<GroupRow> = {}): GroupRow => ({
  ...{ id: 12, name: "Location-1", description: "Where the car is", status: "PRODUCTION", isDeleted: false },
  ...{ isNew: false, grants: [], rpcCount: 4, parameterCount: 2, prompt: null },
  ...{ changedAt: "2026-02-11T16:20:05.000Z", found: [], foundCount: 0 },
  ...partial,
});

beforeEach(() => {
  const counts = { all: 1, modified: 0, new: 0, edited: 0, deleted: 0, production: 1 };
  list = { rows: [aRow()], counts, total: 1, after: 0, shown: 1, unfiltered: 1, waiting: 0 };
  uncovered = [];
});

const show = (query: Record<string, string> = {}) => showPage(FunctionalGroupsPage, "/functionalgroups", query);
const row = (name: string) => screen.getByRole("link", { name: new RegExp(`^${name}`) }).closest("tr")!;

describe("list", () => {
  it("shows state, grants, counts and the prompt with its own state", async () => {
    const prompt = { category: "Location", id: 30, state: "staging" } as const;
    list = { ...list, rows: [aRow({ status: "STAGING", isNew: true, grants: ["default", "widget"], prompt })] };
    await show();
    const cells = within(row("Location-1"));
    for (const text of ["New", "All apps", "Widgets", "4", "2", "Staging only"])
      expect(cells.getByText(text)).toBeVisible();
    expect(cells.getByRole("link", { name: "Location" })).toHaveAttribute("href", expect.stringContaining("id=30"));
    expectLink(/^Location-1/, "/functionalgroups/manage?id=12&environment=staging");
  });

  it("1.2, Partial: without the unmapped permissions the groups are there, and their panel alone says so", async () => {
    uncovered = null;
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await show();
    expect(logged).toHaveBeenCalledOnce();
    expect(row("Location-1")).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Unmapped permissions" })).toBeVisible();
    cleanup();
    await show({ panel: "unmapped" });
    expect(screen.getByRole("alert")).toHaveTextContent(/^The unmapped permissions could not be read\..*Reference: /);
    await press("Retry");
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it("sends an address without what means nothing", () =>
    expectRedirect(show({ state: "modified", sort: "sideways" }), "/functionalgroups?state=modified"));
});

it("L5: promotion leads to the review of all groups, of one, or of those that are chosen", async () => {
  list = { ...list, rows: [aRow({ status: "STAGING" })], counts: { ...list.counts, modified: 1 }, waiting: 1 };
  await show();
  expectLink("Publish to production", "/changes?items=group");
  await press("Actions for Location-1");
  const entry = await screen.findByRole("menuitem", { name: "Publish to production" });
  expect(entry).toHaveAttribute("href", "/changes?ids=group%3A12");
  await userEvent.keyboard("{Escape}");
  await userEvent.click(within(row("Location-1")).getByRole("checkbox"));
  await screen.findByRole("link", { name: "Publish selected" });
  expectLink("Publish selected", "/changes?ids=group%3A12");
});

describe("unmapped permissions", () => {
  const parents = ["GetVehicleData", "OnVehicleData"];
  const isMapped = { staging: false, production: false };
  const permissions: UncoveredPermission[] = [
    { id: 1, name: "Alert", type: "RPC", parents: [], isMapped, isReported: true },
    { id: 2, name: "gps", type: "PARAMETER", parents, isMapped, isReported: true },
  ];
  const group = {
    ...{ id: 40, name: "Base-4", description: "d", user_consent_prompt: "Gone", is_deleted: false },
    ...{ is_default: true, is_pre_data_consent: false, is_device: false, is_app_provider_group: false },
    ...{ is_administrator_group: false, is_widget_group: false, is_proprietary_group: false },
    encryption_required: true,
    rpcs: [
      { name: "Show", selected: true, hmi_levels: [{ value: "FULL", selected: true }], parameters: [] },
      { name: "GetVehicleData", selected: true, hmi_levels: [{ value: "NONE", selected: true }], parameters: [] },
    ],
  };

  it("puts all of a selection into one group with one save, and keeps the rest of the group", async () => {
    uncovered = permissions;
    const record = { id: group.id, key: group.name, body: group };
    api.answer = ({ method }) => ({ data: method === "GET" ? { record } : {} });
    await show({ panel: "unmapped" });
    await userEvent.click(checkbox("Select all rows shown"));
    await press("Add to group…");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.type(await dialog.findByRole("combobox", { name: "Group" }), "Base");
    await screen.findByRole("option", { name: "Base-4" });
    await userEvent.keyboard("{Enter}");
    await press("Save", dialog);
    await screen.findByText("Saved to staging: 2 permissions in Base-4");
    const full = [{ value: "FULL", selected: true }];
    const gps = [{ key: "gps", selected: true }];
    expect(api.sent).toHaveLength(1);
    expect(api.sent[0]).toMatchObject({
      path: "/api/v1/groups",
      body: {
        ...{ name: "Base-4", base_id: 40, user_consent_prompt: "Gone", encryption_required: true, is_default: true },
        rpcs: [
          { name: "Alert", hmi_levels: full, parameters: [] },
          { name: "GetVehicleData", hmi_levels: [{ value: "NONE", selected: true }], parameters: gps },
          { name: "OnVehicleData", hmi_levels: full, parameters: gps },
          { name: "Show", hmi_levels: full, parameters: [] },
        ],
      },
    });
  });

  it("a new group never replaces one of the same name", async () => {
    uncovered = permissions;
    await show({ panel: "unmapped" });
    await userEvent.click(checkbox("Select Alert"));
    await press("Add to group…");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("radio", { name: "A new group" }));
    await type("Name of the new group", "Base-4", dialog);
    expect(isOff(button("Save", dialog))).toBe(true);
    await type("Name of the new group", "x", dialog);
    await press("Save", dialog);
    await screen.findByText("Saved to staging: 1 permission in Base-4x");
    expect(api.sent[0]).toMatchObject({ body: { name: "Base-4x", base_id: 0 } });
  });

  it("refreshes from the app directory, and tells a failure in words", async () => {
    uncovered = permissions;
    api.answer = () => ({ status: 500, message: "The app directory did not answer" });
    await show({ panel: "unmapped" });
    await press("Refresh from app directory");
    await screen.findByText("The app directory did not answer");
    expect(api.sent.map(({ path }) => path)).toEqual(["/api/v1/permissions/update"]);
  });
});
