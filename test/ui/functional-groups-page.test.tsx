import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import FunctionalGroupsPage from "@/app/(console)/functionalgroups/(list)/page";
import { Toaster } from "@/app/_components/shell/toaster";
import type { GroupList } from "@/lib/content/groups/console-queries";
import type { GroupRow } from "@/lib/content/groups/console-rows";
import { log } from "@/lib/platform/log";
import type { SnapshotGroup } from "@/lib/policy/table/snapshot";
import { prepareView } from "@/lib/simulator/view";
import type { Environment } from "@/lib/labels/vocabulary";
import { aGroup, anRpc, aPermission, aSnapshot, inBothViews } from "@/test/support/builders";
import type { UncoveredPermission } from "@/lib/content/groups/coverage";
import { type SentRequest, stubApi, type StubbedAnswer, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";

let list: GroupList;
let uncovered: UncoveredPermission[] | null = [];
let inMatrix: SnapshotGroup[] = [];
/** With a parameter of GetVehicleData that groups can list. */
const mapped = { permissions: [aPermission({ name: "gps", type: "PARAMETER", parents: ["GetVehicleData"] })] };
let answers: (request: SentRequest) => StubbedAnswer;
let sent: SentRequest[] = [];
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };

vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers()),
  cookies: () => Promise.resolve(new Map()),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/functionalgroups",
}));
vi.mock("@/lib/content/groups/console-queries", () => ({
  loadGroupList: () => Promise.resolve(list),
  findListedGroups: () => Promise.resolve(inMatrix),
}));
vi.mock("@/lib/simulator/answers/queries", () => ({
  requireState: (environment: Environment) =>
    Promise.resolve({ view: prepareView(aSnapshot({ ...mapped, groups: inBothViews(...inMatrix) }), environment) }),
}));
vi.mock("@/lib/content/groups/queries", () => ({ listGroupNames: () => Promise.resolve(["Base-4", "Location-1"]) }));
vi.mock("@/lib/content/groups/coverage", () => ({
  listUncovered: () => (uncovered ? Promise.resolve(uncovered) : Promise.reject(new Error("no coverage"))),
}));

const aRow = (partial: Partial<GroupRow> = {}): GroupRow => ({
  id: 12,
  name: "Location-1",
  description: "Where the car is",
  status: "PRODUCTION",
  isDeleted: false,
  isNew: false,
  grants: [],
  encryptionRequired: false,
  rpcCount: 4,
  parameterCount: 2,
  prompt: null,
  changedAt: "2026-02-11T16:20:05.000Z",
  found: [],
  foundCount: 0,
  ...partial,
});

// The first dialog of a file has to be compiled.
configure({ asyncUtilTimeout: 30_000 });
forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  answers = () => ({ data: {} });
  sent = stubApi((request) => answers(request));
  for (const spy of Object.values(router)) spy.mockClear();
  const counts = { all: 1, modified: 0, new: 0, edited: 0, deleted: 0, production: 1 };
  list = { rows: [aRow()], counts, total: 1, after: 0, unfiltered: 1 };
  uncovered = [];
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(query: Record<string, string> = {}) {
  window.history.replaceState(null, "", `/functionalgroups?${new URLSearchParams(query).toString()}`);
  render(
    <>
      {await FunctionalGroupsPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) })}
      <Toaster />
    </>,
  );
}
const row = (name: string) => screen.getByRole("link", { name: new RegExp(`^${name}`) }).closest("tr")!;
const isOff = (button: HTMLElement) => button.getAttribute("aria-disabled") === "true";

describe("list", () => {
  it("shows state, grants, counts and the prompt with its own state", async () => {
    const prompt = { category: "Location", id: 30, state: "staging" } as const;
    list = { ...list, rows: [aRow({ status: "STAGING", isNew: true, grants: ["default", "widget"], prompt })] };
    await show();
    const cells = within(row("Location-1"));
    for (const text of ["New", "All apps", "Widgets", "4", "2", "Staging only"])
      expect(cells.getByText(text)).toBeVisible();
    expect(cells.getByRole("link", { name: "Location" })).toHaveAttribute("href", expect.stringContaining("id=30"));
    expect(screen.getByRole("link", { name: /^Location-1/ })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?id=12&environment=staging",
    );
  });

  it("production is read-only: no new group, no selection, no promotion", async () => {
    list = { ...list, counts: { ...list.counts, modified: 2 } };
    await show({ environment: "production" });
    expect(screen.queryByRole("link", { name: "New group" })).toBeNull();
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(screen.queryByRole("button", { name: /Promote/ })).toBeNull();
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
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    expect(router.refresh).toHaveBeenCalledOnce();
  });

  it("says which filters let nothing pass, and how to clear them", async () => {
    list = { ...list, rows: [], total: 0 };
    await show({ q: "xyz" });
    expect(screen.getByText("No group matches the filters")).toBeVisible();
    const clear = screen.getAllByRole("link", { name: "Clear filters" });
    expect(clear.at(-1)).toHaveAttribute("href", "/functionalgroups");
  });

  it("sends an address without what means nothing", async () => {
    await expect(show({ state: "modified", sort: "sideways" })).rejects.toMatchObject({
      digest: expect.stringContaining("/functionalgroups?state=modified"),
    });
  });
});

describe("L5: promotion leads to the review", () => {
  it("of all groups, where something waits and no filter hides any of it", async () => {
    list = { ...list, counts: { ...list.counts, modified: 1 } };
    await show();
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute("href", "/changes?items=group");
  });

  it("of one group, or of those that are chosen", async () => {
    list = { ...list, rows: [aRow({ status: "STAGING" })] };
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Actions for Location-1" }));
    expect(await screen.findByRole("menuitem", { name: "Publish to production" })).toHaveAttribute(
      "href",
      "/changes?ids=group%3A12",
    );
    await userEvent.keyboard("{Escape}");
    await userEvent.click(within(row("Location-1")).getByRole("checkbox"));
    expect(await screen.findByRole("link", { name: "Publish selected" })).toHaveAttribute(
      "href",
      "/changes?ids=group%3A12",
    );
  });
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
    answers = ({ method }) => ({ data: method === "GET" ? { group } : {} });
    await show({ panel: "unmapped" });
    await userEvent.click(screen.getByRole("checkbox", { name: "Select all rows shown" }));
    await userEvent.click(screen.getByRole("button", { name: "Add to group…" }));
    const dialog = within(await screen.findByRole("dialog"));
    const field = () => dialog.getByRole("combobox", { name: "Group" });
    await waitFor(() => {
      expect(field()).toHaveFocus();
    });
    await userEvent.keyboard("Base");
    await screen.findByRole("option", { name: "Base-4" });
    await userEvent.keyboard("{Enter}");
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await screen.findByText("Saved to staging: 2 permissions in Base-4");
    const full = [{ value: "FULL", selected: true }];
    const gps = [{ key: "gps", selected: true }];
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
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
    await userEvent.click(screen.getByRole("checkbox", { name: "Select Alert" }));
    await userEvent.click(screen.getByRole("button", { name: "Add to group…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("radio", { name: "A new group" }));
    await userEvent.type(dialog.getByRole("textbox", { name: "Name of the new group" }), "Base-4");
    expect(isOff(dialog.getByRole("button", { name: "Save" }))).toBe(true);
    await userEvent.type(dialog.getByRole("textbox", { name: "Name of the new group" }), "x");
    await userEvent.click(dialog.getByRole("button", { name: "Save" }));
    await screen.findByText("Saved to staging: 1 permission in Base-4x");
    expect(sent[0]).toMatchObject({ body: { name: "Base-4x", base_id: 0 } });
  });

  it("refreshes from the app directory, and tells a failure in words", async () => {
    uncovered = permissions;
    answers = () => ({ status: 500, message: "The app directory did not answer" });
    await show({ panel: "unmapped" });
    await userEvent.click(screen.getByRole("button", { name: "Refresh from app directory" }));
    await screen.findByText("The app directory did not answer");
    expect(sent.map(({ path }) => path)).toEqual(["/api/v1/permissions/update"]);
  });
});

describe("?view=matrix", () => {
  it("2.5: shows which group allows which RPC at which levels, below the filters of the list", async () => {
    inMatrix = [
      aGroup({ id: 1, name: "Base-4", rpcs: [anRpc({ name: "Alert", levels: ["FULL", "LIMITED"] })] }),
      aGroup({ id: 2, name: "Location-1", rpcs: [anRpc({ name: "Show", levels: ["NONE"] })] }),
    ];
    await show({ view: "matrix" });
    const table = screen.getByRole("table", { name: "HMI levels at which each functional group allows each RPC" });
    const texts = within(table)
      .getAllByRole("row")
      .map((row) => [...row.children].map((cell) => [cell.textContent, cell.getAttribute("aria-label")].join("")));
    expect(texts).toEqual([
      ["RPC", "Groups", "Base-4", "Location-1"],
      ["Alert", "1", "FL··FULL, LIMITED", ""],
      ["Show", "1", "", "···NNONE"],
    ]);
    expect(within(table).getByRole("link", { name: "Alert" })).toHaveAttribute("href", "/rpcs/Alert");
    expect(within(table).getByRole("link", { name: "Base-4" })).toHaveAttribute(
      "href",
      "/functionalgroups/manage?name=Base-4&environment=staging",
    );
    expect(screen.getByRole("searchbox", { name: "Search groups, RPCs, parameters" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Coverage" })).toHaveAttribute("aria-current", "page");
    expect(screen.getByRole("link", { name: /^Unmapped permissions/ })).not.toHaveAttribute("aria-current");
    expect(screen.queryByText(/Listed without parameters/)).toBeNull();
  });

  it("shows a part of 300 groups with 100 RPCs, and leads to the next", async () => {
    const rpcs = Array.from({ length: 100 }, (_, at) => anRpc({ name: `Rpc${at}`, levels: ["FULL"] }));
    inMatrix = Array.from({ length: 300 }, (_, at) => aGroup({ id: at + 1, name: `Group-${at}`, rpcs }));
    await show({ view: "matrix", after: "40", level: "FULL" });
    expect(document.querySelectorAll("*").length).toBeLessThanOrEqual(2500);
    expect(screen.getByText("Groups 41–80 of 300")).toBeVisible();
    const href = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(href("Next groups")).toBe("/functionalgroups?view=matrix&after=80&level=FULL");
    expect(href("Previous groups")).toBe("/functionalgroups?view=matrix&level=FULL");
    expect(href("Next RPCs")).toBe("/functionalgroups?view=matrix&after=40&level=FULL&rows=45");
  });

  it("marks an RPC without the parameters that it needs, which is no right in any car, and says what it does", async () => {
    const reads = (parameters: readonly string[]) => [anRpc({ name: "GetVehicleData", parameters })];
    inMatrix = [
      aGroup({ id: 1, name: "Base-4", rpcs: reads([]) }),
      aGroup({ id: 2, name: "Location-1", rpcs: reads(["gps"]) }),
    ];
    await show({ view: "matrix" });
    const cells = screen.getByRole("row", { name: /^GetVehicleData/ }).children;
    const words = [...cells].map((cell) => cell.getAttribute("aria-label"));
    expect(words).toEqual([null, null, "No parameters", "FULL"]);
    expect(screen.getByText(/Listed without parameters/)).toBeVisible();
  });
});
