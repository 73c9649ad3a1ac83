import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import VehicleDataItemPage from "@/app/(console)/vehicledata/manage/page";
import type { WireVehicleData } from "@/lib/content/vehicle-data/wire";
import type { StubbedAnswer } from "@/test/support/console-stubs";
import { anItem, scent } from "@/test/support/vehicle-data";
import { router } from "@/test/support/navigation";
import { api, bodies, field, pick, press, pressNext, showPage, type } from "@/test/support/page";

/* What becomes of changes that are not saved, and of what somebody else has saved meanwhile. */

const findPage = vi.hoisted(() => vi.fn());
vi.mock("@/lib/content/vehicle-data/editor-queries", () => ({ findVehicleDataPage: findPage }));

/** What staging holds by now. */
let stored: WireVehicleData;
let refusal: StubbedAnswer | null;

beforeEach(() => {
  stored = scent;
  refusal = null;
  api.answer = ({ method, body }) => {
    if (method === "POST" && refusal) return refusal;
    if (method === "POST") stored = { ...(body as WireVehicleData), id: 30 };
    return { data: { custom_vehicle_data: [stored] } };
  };
  findPage.mockResolvedValue(anItem({ isPromoted: true }));
});

const show = (query: Record<string, string> = { id: "20" }) =>
  showPage(VehicleDataItemPage, "/vehicledata/manage", query);
async function askToDelete() {
  await press("Actions for cabinScent");
  await pick("Delete…");
  return screen.findByRole("alertdialog");
}
const confirm = (dialog: HTMLElement) => press("Delete the item", within(dialog));
const footer = () => screen.queryByRole("region", { name: "Unsaved changes" });

describe("deletion", () => {
  it("is of the version that the page shows; what somebody has saved since is told and kept", async () => {
    await show();
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
    await show();
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
    await show();
    expect(await askToDelete()).not.toHaveTextContent("unsaved");
  });
});

it("drafts of items that are not stored yet: a copy has one of its own, which is found again and says so", async () => {
  const setNew = (name: string | null) =>
    findPage.mockResolvedValue(
      anItem({ item: { ...scent, id: null, name }, nodeId: null, status: null, changedAt: null }),
    );
  setNew("cabinScentCopy");
  const { redraw, unmount } = await show({ from: "20" });
  await type("Key", "_COPY");
  expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
  // From one form to the other without a step in between.
  setNew(null);
  await act(() => redraw({}));
  expect(field("Key")).toHaveValue("OEM_SCENT");
  expect(field("Name")).toHaveValue("");
  unmount();
  setNew("cabinScentCopy");
  await show({ from: "20" });
  expect(field("Key")).toHaveValue("OEM_SCENT_COPY");
  expect(screen.getByText("Unsaved changes restored")).toBeVisible();
  await type("Key", "!");
  expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
});
