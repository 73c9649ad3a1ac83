import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import VehicleDataPage from "@/app/(console)/vehicledata/(list)/page";
import NotFound from "@/app/(console)/vehicledata/manage/not-found";
import VehicleDataItemPage from "@/app/(console)/vehicledata/manage/page";
import type { VehicleDataList } from "@/lib/records/vehicle-data/console-queries";
import type { VehicleDataRow } from "@/lib/records/vehicle-data/console-rows";
import type { VehicleDataPage as ItemPage } from "@/lib/records/vehicle-data/editor-queries";
import { vehicleDataTemplate, type WireVehicleData } from "@/lib/records/vehicle-data/wire";
import type { StubbedAnswer } from "@/test/support/console-stubs";
import { anItem, changedAt, scent } from "@/test/support/vehicle-data";
import { goTo, router } from "@/test/support/navigation";
import {
  api,
  bodies,
  button,
  catchDownloads,
  expectLink,
  expectNotFound,
  expectRedirect,
  field,
  link,
  pick,
  press,
  pressNext,
  showPage,
  type,
} from "@/test/support/page";

let list: VehicleDataList;
let item: ItemPage | { movedTo: number; environment: "staging" } | null;

vi.mock("@/lib/records/vehicle-data/console-queries", () => ({ loadVehicleDataList: () => Promise.resolve(list) }));
vi.mock("@/lib/records/vehicle-data/editor-queries", () => ({ findVehicleDataPage: () => Promise.resolve(item) }));

const aRow = (partial: Partial<VehicleDataRow> = {}): VehicleDataRow => ({
  ...{ id: 20, rootId: 20, depth: 0, name: "cabinScent", type: "Struct", isArray: false, key: "OEM_SCENT" },
  ...{ limits: "", isMandatory: false, nested: 1, isFound: false },
  item: { status: "STAGING", isDeleted: false, isNew: true, changedAt, usedBy: [], foundInside: 0 },
  ...partial,
});
const inside = aRow({ id: 21, depth: 1, name: "level", type: "Integer", limits: "0…10", nested: 0, item: null });
const aList = (partial: Partial<VehicleDataList> = {}): VehicleDataList => ({
  rows: [aRow()],
  counts: { all: 1, modified: 1, new: 1, edited: 0, deleted: 0, production: 0 },
  ...{ total: 1, after: 0, shown: 1, unfiltered: 1, types: ["Integer", "Struct"], waiting: 1 },
  ...partial,
});
beforeEach(() => {
  api.answer = () => ({ data: { custom_vehicle_data: [{ id: 30, name: "cabinScent", params: [] }] } });
  list = aList();
  item = anItem();
});

type Query = Record<string, string>;
const showList = (query: Query = {}) => showPage(VehicleDataPage, "/vehicledata", query);
const showItem = (query: Query = { id: "20" }) => showPage(VehicleDataItemPage, "/vehicledata/manage", query);
const node = (name: RegExp) => screen.getByRole("treeitem", { name });

describe("the list", () => {
  it("shows items with what they are, and leads to them", async () => {
    await showList();
    const row = screen.getByRole("row", { name: /cabinScent/ });
    expect(row).toHaveTextContent("Struct · 1 inside");
    expect(row).toHaveTextContent("New");
    expectLink("cabinScent", "/vehicledata/manage?id=20&environment=staging", within(row));
    expect(button("What is inside cabinScent", within(row))).toHaveAttribute("aria-expanded", "false");
  });

  it("opens an item through the address, and folds what is inside by itself", async () => {
    await showList();
    await press("What is inside cabinScent");
    expect(router.replace).toHaveBeenCalledWith("/vehicledata?item=20", { scroll: false });
    cleanup();
    const zone = aRow({ id: 21, depth: 1, name: "zone", nested: 1, item: null });
    list = aList({ rows: [aRow({ nested: 2 }), zone, { ...inside, id: 22, depth: 2 }] });
    await showList({ item: "20" });
    expect(link(/Level 3: ?level/)).toBeVisible();
    await press("What is inside zone");
    expect(screen.queryByRole("link", { name: /Level 3: ?level/ })).not.toBeInTheDocument();
  });

  it("exports what the address lets pass, all pages of it", async () => {
    const hrefs = catchDownloads();
    await showList({ q: "cab", size: "25", after: "25", sort: "-name" });
    for (const name of ["Table of all nodes (CSV)", "Items (JSON)"]) {
      await press("Export");
      await pick(name);
    }
    expect(hrefs).toEqual(
      ["csv", "json"].map((format) => `/api/v1/ui/vehicle-data/export?q=cab&sort=-name&format=${format}`),
    );
  });

  it("takes out of the address what it does not know", () =>
    expectRedirect(showList({ state: "odd", q: "a" }), "/vehicledata?q=a"));
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
    await showItem();
    expect(window.location.search).toBe("?id=20&environment=staging");
    await userEvent.click(node(/^label/));
    expect(window.location.search).toBe("?id=21&environment=staging");
    await press("Add after label");
    expect(window.location.search).toBe("?id=21&environment=staging");
    await userEvent.click(node(/^zone/));
    expect(window.location.search).toBe("?id=22&environment=staging");
  });

  it("what its address says beyond that leaves it", async () => {
    await expectRedirect(showItem({ id: "20", tab: "x", environment: "moon" }), "/vehicledata/manage?id=20");
    await expectRedirect(showItem({ from: "abc" }), "/vehicledata/manage");
  });

  it("a node that is removed, or brought back, leaves the focus on the tree", async () => {
    await showItem();
    await userEvent.click(node(/^label/));
    await press("Remove label");
    await waitFor(() => expect(node(/^zone/)).toHaveFocus());
    await press("Remove zone");
    await waitFor(() => expect(node(/^cabinScent/)).toHaveFocus());
  });

  it("is gone through with the arrow keys", async () => {
    await showItem();
    node(/^cabinScent/).focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(node(/^label/)).toHaveFocus();
    expect(field("Name")).toHaveValue("label");
    await userEvent.keyboard("{End}");
    expect(node(/^zone/)).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(node(/^cabinScent/)).toHaveAttribute("aria-expanded", "false");
    expect(screen.queryByRole("treeitem", { name: /^label/ })).not.toBeInTheDocument();
  });

  it("says what is missing only when a node is left, or when it is to be saved", async () => {
    await showItem();
    await press("Add inside cabinScent");
    expect(field("Name")).toHaveFocus();
    expect(screen.queryByText("Required")).not.toBeInTheDocument();
    await userEvent.click(node(/^label/));
    expect(node(/^unnamed\b.*3\s*problems/)).toBeVisible();
    await press("Save");
    expect(await screen.findByText(/Fix 3 problems/)).toBeVisible();
    expect(field("Name")).toHaveValue("");
    await type("Key", "OEM TYRE$x");
    expect(field("Key")).toHaveAccessibleDescription(/A space is not allowed/);
    await userEvent.click(node(/^label/));
    await press(/unnamed, Key: A space is not allowed/);
    await waitFor(() => expect(field("Key")).toHaveFocus());
    expect(field("Key")).toHaveValue("OEM TYRE$x");
    expect(api.sent).toEqual([]);
  });

  it("moves a node into the struct next to it and up again, and to any struct with room", async () => {
    await showItem();
    await userEvent.click(node(/^label/));
    await press("Move label down into zone");
    expect(node(/^label/)).toHaveAttribute("aria-level", "3");
    await press("Move label up a level");
    expect(node(/^label/)).toHaveAttribute("aria-level", "2");
    await press("Move label to…");
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("radio", { name: "cabinScent › zone" }));
    await press("Move", dialog);
    expect(node(/^label/)).toHaveAttribute("aria-level", "3");
  });

  it("takes limits out with the type that they belonged to, and gives them back on request", async () => {
    item = anItem({ nodeId: 21 });
    await showItem();
    await userEvent.click(screen.getByRole("combobox", { name: "Type" }));
    await userEvent.click(await screen.findByRole("option", { name: /^Integer/ }));
    expect(screen.getByText(/Removed by this change: ≤ 40 characters/)).toBeVisible();
    expect(screen.queryByLabelText("Max length")).not.toBeInTheDocument();
    await press("Take back");
    expect(screen.getByRole("combobox", { name: "Type" })).toHaveFocus();
    expect(field("Max length")).toHaveValue("40");
  });

  it("sends the whole tree with the version it began with, and goes on with the new one", async () => {
    await showItem();
    await type("Key", "_2");
    await press("Save");
    await waitFor(() => expect(router.replace).toHaveBeenCalled());
    const params = [
      { name: "label", max_length: 40 },
      { name: "zone", params: [] },
    ];
    expect(bodies()[0]).toMatchObject({ name: "cabinScent", key: "OEM_SCENT_2", base_id: 20, params });
    expect(router.replace).toHaveBeenCalledWith("/vehicledata/manage?id=30&environment=staging", { scroll: false });
  });

  it("a new item is not saved over another: that one is offered", async () => {
    item = anItem({ item: vehicleDataTemplate, nodeId: null, status: null, changedAt: null });
    await showItem({});
    await type("Name", "roofAngle");
    expect(screen.getByText(/An item with this name exists/)).toBeVisible();
    expectLink("Open roofAngle", "/vehicledata/manage?id=7&environment=staging");
  });

  it("production and what is marked for deletion are for reading", async () => {
    item = anItem({ environment: "production", status: "PRODUCTION" });
    await showItem();
    expect(field("Key")).toHaveAttribute("readonly");
    expect(screen.queryByRole("toolbar")).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Edit in staging" })).toBeVisible();
  });

  it("what production does not have is offered as staging has it", async () => {
    api.answer = () => ({ data: { record: { id: 20, key: "cabinScent", body: { ...anItem().item } } } });
    goTo("/vehicledata/manage?id=20&environment=production");
    render(<NotFound />);
    await screen.findByRole("link", { name: "Latest version of cabinScent" });
    expectLink("Latest version of cabinScent", "/vehicledata/manage?id=20&environment=staging");
    expect(screen.getByRole("heading", { name: "This version no longer exists" })).toBeVisible();
  });

  it("an unknown id is not found, an outdated one leads on", async () => {
    item = null;
    await expectNotFound(showItem({ id: "abc" }));
    item = { movedTo: 31, environment: "staging" };
    await expectRedirect(showItem(), "/vehicledata/manage?id=31&environment=staging");
  });
});

describe("deletion", () => {
  let stored: WireVehicleData;
  let refusal: StubbedAnswer | null;
  beforeEach(() => {
    stored = scent;
    refusal = null;
    api.answer = ({ method, body }) => {
      if (method === "POST" && refusal) return refusal;
      if (method === "GET") return { data: { record: { id: stored.id, key: stored.name, body: stored } } };
      stored = { ...(body as WireVehicleData), id: 30 };
      return { data: { custom_vehicle_data: [stored] } };
    };
  });
  async function askToDelete() {
    await press("Actions for cabinScent");
    await pick("Delete…");
    return screen.findByRole("alertdialog");
  }
  const confirm = (dialog: HTMLElement) => press("Delete the item", within(dialog));
  const footer = () => screen.queryByRole("region", { name: "Unsaved changes" });

  it("is of the version that the page shows; what somebody has saved since is told and kept", async () => {
    await showItem();
    const dialog = await askToDelete();
    stored = { ...scent, id: 31, key: "THEIRS" };
    refusal = { status: 409, message: "This item was changed meanwhile; base_id is not its newest record" };
    await confirm(dialog);
    expect(await within(dialog).findByText(/Nothing was deleted: someone else has saved cabinScent/)).toBeVisible();
    expect(bodies()).toEqual([expect.objectContaining({ is_deleted: true, base_id: 20 })]);
    // The page is brought up to date; the open question stays about what was seen when it was asked.
    expect(router.refresh).toHaveBeenCalled();
    await confirm(dialog);
    await waitFor(() => expect(bodies()).toHaveLength(2));
    expect(bodies()[1]).toMatchObject({ base_id: 20 });
  });

  it("says that unsaved changes go with it, and drops them only once it is done", async () => {
    await showItem();
    await type("Key", "_2");
    refusal = { status: 503, message: "The database is away" };
    const dialog = await askToDelete();
    expect(dialog).toHaveTextContent("You will lose your unsaved changes.");
    await confirm(dialog);
    expect(await within(dialog).findByText("The database is away")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Key", hidden: true })).toHaveValue("OEM_SCENT_2");
    refusal = null;
    await confirm(dialog);
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
    expect(bodies().at(-1)).toMatchObject({ key: "OEM_SCENT", is_deleted: true, base_id: 20 });
    expect(router.replace).toHaveBeenCalledWith("/vehicledata/manage?id=30&environment=staging");
    await pressNext("Undo");
    await waitFor(() => expect(bodies().at(-1)).toMatchObject({ is_deleted: false, base_id: 30 }));
  });

  it("without unsaved changes says nothing of them", async () => {
    await showItem();
    expect(await askToDelete()).not.toHaveTextContent("unsaved");
  });
});

it("drafts of items that are not stored yet: a copy has one of its own, which is found again and says so", async () => {
  const setNew = (name: string | null) => {
    item = anItem({ item: { ...scent, id: null, name }, nodeId: null, status: null, changedAt: null });
  };
  setNew("cabinScentCopy");
  const { redraw, unmount } = await showItem({ from: "20" });
  await type("Key", "_COPY");
  expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
  setNew(null);
  await act(() => redraw({}));
  expect(field("Key")).toHaveValue("OEM_SCENT");
  expect(field("Name")).toHaveValue("");
  unmount();
  setNew("cabinScentCopy");
  await showItem({ from: "20" });
  expect(field("Key")).toHaveValue("OEM_SCENT_COPY");
  expect(screen.getByText("Unsaved changes restored")).toBeVisible();
  await type("Key", "!");
  expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
});
