import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import VehicleDataPage from "@/app/(console)/vehicledata/(list)/page";
import NotFound from "@/app/(console)/vehicledata/manage/not-found";
import VehicleDataItemPage from "@/app/(console)/vehicledata/manage/page";
import { discardDrafts } from "@/app/_components/form/draft-store";
import type { VehicleDataList } from "@/lib/content/vehicle-data/console-queries";
import type { VehicleDataRow } from "@/lib/content/vehicle-data/console-rows";
import type { VehicleDataPage as ItemPage } from "@/lib/content/vehicle-data/editor-queries";
import { vehicleDataTemplate } from "@/lib/content/vehicle-data/wire";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { anItem, changedAt } from "@/test/support/vehicle-data";

let list: VehicleDataList;
let item: ItemPage | { movedTo: number; environment: "staging" } | null;
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
  usePathname: () => "/vehicledata",
}));
vi.mock("@/lib/content/vehicle-data/console-queries", () => ({ loadVehicleDataList: () => Promise.resolve(list) }));
vi.mock("@/lib/content/vehicle-data/editor-queries", () => ({ findVehicleDataPage: () => Promise.resolve(item) }));

const aRow = (partial: Partial<VehicleDataRow> = {}): VehicleDataRow => ({
  id: 20,
  rootId: 20,
  depth: 0,
  name: "cabinScent",
  type: "Struct",
  isArray: false,
  key: "OEM_SCENT",
  limits: "",
  isMandatory: false,
  nested: 1,
  isFound: false,
  item: { status: "STAGING", isDeleted: false, isNew: true, changedAt, usedBy: [], foundInside: 0 },
  ...partial,
});
const inside = aRow({ id: 21, depth: 1, name: "level", type: "Integer", limits: "0…10", nested: 0, item: null });
const aList = (partial: Partial<VehicleDataList> = {}): VehicleDataList => ({
  rows: [aRow()],
  counts: { all: 1, modified: 1, new: 1, edited: 0, deleted: 0, production: 0 },
  total: 1,
  after: 0,
  shown: 1,
  unfiltered: 1,
  types: ["Integer", "Struct"],
  waiting: 1,
  ...partial,
});
forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  sent = stubApi(() => ({ data: { custom_vehicle_data: [{ id: 30, name: "cabinScent", params: [] }] } }));
  for (const spy of Object.values(router)) spy.mockClear();
  list = aList();
  item = anItem();
  discardDrafts(["vehicle-data:cabinScent", "vehicle-data-new:"]);
});
afterEach(() => {
  window.history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

type Query = Record<string, string>;
async function showList(query: Query = {}) {
  render(await VehicleDataPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) }));
}
async function showItem(query: Query = { id: "20" }) {
  render(await VehicleDataItemPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) }));
  return userEvent.setup();
}
const node = (name: RegExp) => screen.getByRole("treeitem", { name });
const field = (name: string) => screen.getByRole("textbox", { name });

describe("the list", () => {
  it("shows items with what they are, and leads to them", async () => {
    await showList();
    const row = screen.getByRole("row", { name: /cabinScent/ });
    expect(row).toHaveTextContent("Struct · 1 inside");
    expect(row).toHaveTextContent("New");
    expect(within(row).getByRole("link", { name: "cabinScent" })).toHaveAttribute(
      "href",
      "/vehicledata/manage?id=20&environment=staging",
    );
    expect(within(row).getByRole("button", { name: "What is inside cabinScent" })).toHaveAttribute(
      "aria-expanded",
      "false",
    );
  });

  it("opens an item through the address, and folds what is inside by itself", async () => {
    await showList();
    await userEvent.click(screen.getByRole("button", { name: "What is inside cabinScent" }));
    expect(router.replace).toHaveBeenCalledWith("/vehicledata?item=20", { scroll: false });
  });

  it("hides what is inside of a closed line", async () => {
    const zone = aRow({ id: 21, depth: 1, name: "zone", nested: 1, item: null });
    list = aList({ rows: [aRow({ nested: 2 }), zone, { ...inside, id: 22, depth: 2 }] });
    await showList({ item: "20" });
    expect(screen.getByRole("link", { name: /Level 3: ?level/ })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "What is inside zone" }));
    expect(screen.queryByRole("link", { name: /Level 3: ?level/ })).not.toBeInTheDocument();
  });

  it("L5: promotion leads to the review, of all items and of one", async () => {
    await showList();
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute(
      "href",
      "/changes?items=vehicle_data",
    );
    cleanup();
    await showItem();
    expect(screen.getByRole("link", { name: "Publish to production" })).toHaveAttribute(
      "href",
      "/changes?items=vehicle_data%3AcabinScent",
    );
  });

  it("production is for reading: nothing to promote, add or delete", async () => {
    list = aList({ waiting: 0 });
    await showList({ environment: "production" });
    for (const name of ["Publish to production", "New item"]) expect(screen.queryByText(name)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Actions for cabinScent" }));
    expect((await screen.findAllByRole("menuitem")).map((entry) => entry.textContent)).toEqual([
      "View",
      "Edit in staging",
      "Duplicate",
    ]);
  });

  it("tells an empty list from one that filters have emptied", async () => {
    list = aList({ rows: [], waiting: 0, total: 0, shown: 0 });
    await showList({ q: "nowhere" });
    expect(screen.getByText("No item matches the filters")).toBeVisible();
    list = { ...list, unfiltered: 0 };
    await showList();
    expect(screen.getByText("No custom vehicle data")).toBeVisible();
  });

  it("exports what the address lets pass, all pages of it", async () => {
    const hrefs: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      hrefs.push(this.getAttribute("href") ?? "");
    });
    window.history.replaceState(null, "", "/vehicledata?q=cab&size=25&after=25&sort=-name");
    await showList({ q: "cab", size: "25", after: "25", sort: "-name" });
    for (const name of ["Table of all nodes (CSV)", "Items (JSON)"]) {
      await userEvent.click(screen.getByRole("button", { name: "Export" }));
      await userEvent.click(await screen.findByRole("menuitem", { name }));
    }
    expect(hrefs).toEqual(
      ["csv", "json"].map((format) => `/api/v1/ui/vehicle-data/export?q=cab&sort=-name&format=${format}`),
    );
    click.mockRestore();
    window.history.replaceState(null, "", "/");
  });

  it("a state of staging leaves the address in production", async () => {
    await expect(showList({ environment: "production", state: "deleted" })).rejects.toMatchObject({
      digest: expect.stringContaining("/vehicledata?environment=production;"),
    });
  });

  it("takes out of the address what it does not know", async () => {
    await expect(showList({ state: "odd", q: "a" })).rejects.toMatchObject({
      digest: expect.stringContaining("/vehicledata?q=a"),
    });
  });
});

describe("one item", () => {
  it("begins with the node of the address, and shows only limits that mean something for its type", async () => {
    item = anItem({ nodeId: 21 });
    await showItem();
    expect(field("Name")).toHaveValue("label");
    expect(field("Max length")).toHaveValue("40");
    for (const name of ["Min value", "Min size"]) expect(screen.queryByLabelText(name)).not.toBeInTheDocument();
  });

  it("the name of a stored item is fixed, and nothing at the top is mandatory", async () => {
    await showItem();
    expect(field("Name")).toHaveAttribute("readonly");
    expect(screen.getByRole("checkbox", { name: "Mandatory" })).toHaveAttribute("aria-disabled", "true");
  });

  it("has the chosen node in the address, where it is stored", async () => {
    const user = await showItem();
    expect(window.location.search).toBe("?id=20&environment=staging");
    await user.click(node(/^label/));
    expect(window.location.search).toBe("?id=21&environment=staging");
    await user.click(screen.getByRole("button", { name: "Add after label" }));
    expect(window.location.search).toBe("?id=21&environment=staging");
    await user.click(node(/^zone/));
    expect(window.location.search).toBe("?id=22&environment=staging");
  });

  it("what its address says beyond that leaves it", async () => {
    await expect(showItem({ id: "20", tab: "x", environment: "moon" })).rejects.toMatchObject({
      digest: expect.stringContaining("/vehicledata/manage?id=20;"),
    });
    await expect(showItem({ from: "abc" })).rejects.toMatchObject({
      digest: expect.stringContaining("/vehicledata/manage;"),
    });
  });

  it("a node that is removed, or brought back, leaves the focus on the tree", async () => {
    const user = await showItem();
    await user.click(node(/^label/));
    await user.click(screen.getByRole("button", { name: "Remove label" }));
    await waitFor(() => {
      expect(node(/^zone/)).toHaveFocus();
    });
    await user.click(screen.getByRole("button", { name: "Remove zone" }));
    await waitFor(() => {
      expect(node(/^cabinScent/)).toHaveFocus();
    });
  });

  it("is gone through with the arrow keys", async () => {
    const user = await showItem();
    node(/^cabinScent/).focus();
    await user.keyboard("{ArrowDown}");
    expect(node(/^label/)).toHaveFocus();
    expect(field("Name")).toHaveValue("label");
    await user.keyboard("{End}");
    expect(node(/^zone/)).toHaveAttribute("aria-selected", "true");
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(node(/^cabinScent/)).toHaveAttribute("aria-expanded", "false");
    expect(screen.queryByRole("treeitem", { name: /^label/ })).not.toBeInTheDocument();
  });

  it("says what is missing only when a node is left, or when it is to be saved", async () => {
    const user = await showItem();
    await user.click(screen.getByRole("button", { name: "Add inside cabinScent" }));
    expect(field("Name")).toHaveFocus();
    expect(screen.queryByText("Required")).not.toBeInTheDocument();
    await user.click(node(/^label/));
    expect(node(/^unnamed\b.*3\s*problems/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText(/Fix 3 problems/)).toBeVisible();
    expect(field("Name")).toHaveValue("");
    expect(sent).toEqual([]);
  });

  it("moves a node down into the struct next to it, and up again", async () => {
    const user = await showItem();
    await user.click(node(/^label/));
    await user.click(screen.getByRole("button", { name: "Move label down into zone" }));
    expect(node(/^label/)).toHaveAttribute("aria-level", "3");
    await user.click(screen.getByRole("button", { name: "Move label up a level" }));
    expect(node(/^label/)).toHaveAttribute("aria-level", "2");
  });

  it("moves a node to any struct with room", async () => {
    const user = await showItem();
    await user.click(node(/^label/));
    await user.click(screen.getByRole("button", { name: "Move label to…" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: "cabinScent › zone" }));
    await user.click(within(dialog).getByRole("button", { name: "Move" }));
    expect(node(/^label/)).toHaveAttribute("aria-level", "3");
  });

  it("takes limits out with the type that they belonged to, and gives them back on request", async () => {
    item = anItem({ nodeId: 21 });
    const user = await showItem();
    await user.click(screen.getByRole("combobox", { name: "Type" }));
    await user.click(await screen.findByRole("option", { name: /^Integer/ }));
    expect(screen.getByText(/Removed by this change: ≤ 40 characters/)).toBeVisible();
    expect(screen.queryByLabelText("Max length")).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Take back" }));
    expect(screen.getByRole("combobox", { name: "Type" })).toHaveFocus();
    expect(field("Max length")).toHaveValue("40");
  });

  it("sends the whole tree with the version it began with, and goes on with the new one", async () => {
    const user = await showItem();
    await user.type(field("Key"), "_2");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(router.replace).toHaveBeenCalled());
    const [request] = sent.filter(({ method }) => method === "POST");
    expect(request?.body).toMatchObject({
      name: "cabinScent",
      key: "OEM_SCENT_2",
      base_id: 20,
      params: [
        { name: "label", max_length: 40 },
        { name: "zone", params: [] },
      ],
    });
    expect(router.replace).toHaveBeenCalledWith("/vehicledata/manage?id=30&environment=staging", { scroll: false });
  });

  it("a new item is not saved over another: that one is offered", async () => {
    item = anItem({ item: vehicleDataTemplate, nodeId: null, status: null, changedAt: null });
    const user = await showItem({});
    await user.type(field("Name"), "roofAngle");
    expect(screen.getByText(/An item with this name exists/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Open roofAngle" })).toHaveAttribute(
      "href",
      "/vehicledata/manage?id=7&environment=staging",
    );
  });

  it("production and what is marked for deletion are for reading", async () => {
    item = anItem({ environment: "production", status: "PRODUCTION" });
    await showItem();
    expect(field("Key")).toHaveAttribute("readonly");
    expect(screen.queryByRole("toolbar")).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Edit in staging" })).toBeVisible();
  });

  it("what production does not have is offered as staging has it", async () => {
    window.history.replaceState(null, "", "/vehicledata/manage?id=20&environment=production");
    render(<NotFound />);
    expect(await screen.findByRole("link", { name: "Latest version of cabinScent" })).toHaveAttribute(
      "href",
      "/vehicledata/manage?id=20&environment=staging",
    );
    expect(screen.getByRole("heading", { name: "This version no longer exists" })).toBeVisible();
  });

  it("an unknown id is not found, an outdated one leads on", async () => {
    item = null;
    await expect(showItem({ id: "abc" })).rejects.toMatchObject({ digest: expect.stringContaining("404") });
    item = { movedTo: 31, environment: "staging" };
    await expect(showItem()).rejects.toMatchObject({
      digest: expect.stringContaining("/vehicledata/manage?id=31&environment=staging"),
    });
  });
});
