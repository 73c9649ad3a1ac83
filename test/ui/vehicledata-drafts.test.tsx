import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followPublished } from "@/app/(console)/changes/follow-published";
import VehicleDataItemPage from "@/app/(console)/vehicledata/manage/page";
import { discardDrafts } from "@/app/_components/form/draft-store";
import { Toaster } from "@/app/_components/shell/toaster";
import type { VehicleDataPage as ItemPage } from "@/lib/content/vehicle-data/editor-queries";
import type { WireVehicleData } from "@/lib/content/vehicle-data/wire";
import { type SentRequest, stubApi, type StubbedAnswer, stubBrowser } from "@/test/support/console-stubs";
import { forgetSettings, useSettings } from "@/test/support/settings";
import { anItem, scent } from "@/test/support/vehicle-data";

/* What becomes of changes that are not saved, and of what somebody else has saved meanwhile. */

let item: ItemPage;
let sent: SentRequest[] = [];
/** What staging holds by now. */
let stored: WireVehicleData;
let refuse: ((request: SentRequest) => StubbedAnswer | null) | null;
const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };

vi.mock("next/headers", () => ({ headers: () => Promise.resolve(new Headers()) }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/vehicledata/manage",
}));
vi.mock("@/lib/content/vehicle-data/editor-queries", () => ({ findVehicleDataPage: () => Promise.resolve(item) }));

forgetSettings();
beforeEach(() => {
  useSettings();
  stubBrowser();
  stored = scent;
  refuse = null;
  sent = stubApi((request) => {
    const refusal = request.method === "POST" ? refuse?.(request) : null;
    if (refusal) return refusal;
    if (request.method === "POST") stored = { ...(request.body as WireVehicleData), id: 30 };
    return { data: { custom_vehicle_data: [stored] } };
  });
  for (const spy of Object.values(router)) spy.mockClear();
  item = anItem({ isPromoted: true });
});
afterEach(() => {
  cleanup();
  discardDrafts([":cabinScent", "-new:", "-new:20"].map((name) => `vehicle-data${name}`));
  vi.unstubAllGlobals();
});

const draw = async (query: Record<string, string>) =>
  VehicleDataItemPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) });
async function show(query: Record<string, string> = { id: "20" }) {
  const page = await draw(query);
  return render(
    <>
      {page}
      <Toaster />
    </>,
  );
}
const field = (name: string) => screen.getByRole("textbox", { name });
const click = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const posts = (path = "/api/v1/vehicle-data") => sent.filter((one) => one.path === path).map(({ body }) => body as any);
async function askToDelete() {
  await click("Actions for cabinScent");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
  return screen.findByRole("alertdialog");
}
const confirm = (dialog: HTMLElement) =>
  userEvent.click(within(dialog).getByRole("button", { name: "Delete the item" }));
const footer = () => screen.queryByRole("region", { name: "Unsaved changes" });

describe("deletion", () => {
  it("is of the version that the page shows; what somebody has saved since is told and kept", async () => {
    await show();
    const dialog = await askToDelete();
    stored = { ...scent, id: 31, key: "THEIRS" };
    refuse = () => ({ status: 409, message: "This item was changed meanwhile; base_id is not its newest record" });
    await confirm(dialog);
    expect(await within(dialog).findByText(/Nothing was deleted: someone else has saved cabinScent/)).toBeVisible();
    expect(posts()).toEqual([expect.objectContaining({ is_deleted: true, base_id: 20 })]);
    // The page is brought up to date; the open question stays about what was seen when it was asked.
    expect(router.refresh).toHaveBeenCalled();
    await confirm(dialog);
    await waitFor(() => {
      expect(posts()).toHaveLength(2);
    });
    expect(posts()[1]).toMatchObject({ base_id: 20 });
  });

  it("says that unsaved changes go with it, and drops them only once it is done", async () => {
    await show();
    await userEvent.type(field("Key"), "_2");
    refuse = () => ({ status: 503, message: "The database is away" });
    const dialog = await askToDelete();
    expect(dialog).toHaveTextContent("You will lose your unsaved changes.");
    await confirm(dialog);
    expect(await within(dialog).findByText("The database is away")).toBeVisible();
    expect(screen.getByRole("textbox", { name: "Key", hidden: true })).toHaveValue("OEM_SCENT_2");
    refuse = null;
    await confirm(dialog);
    await waitFor(() => {
      expect(footer()).not.toBeInTheDocument();
    });
    expect(posts().at(-1)).toMatchObject({ key: "OEM_SCENT", is_deleted: true, base_id: 20 });
    expect(router.replace).toHaveBeenCalledWith("/vehicledata/manage?id=30&environment=staging");
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => {
      expect(posts().at(-1)).toMatchObject({ is_deleted: false, base_id: 30 });
    });
  });

  it("without unsaved changes says nothing of them", async () => {
    await show();
    expect(await askToDelete()).not.toHaveTextContent("unsaved");
  });
});

describe("promotion with unsaved changes", () => {
  async function askToPromote() {
    await show();
    await userEvent.type(field("Key"), "_2");
    await click("Publish to production");
    return screen.findByRole("alertdialog", { name: "Publish with unsaved changes?" });
  }
  const review = "/changes?items=vehicle_data%3AcabinScent";

  it("of the saved state leaves them as they are", async () => {
    await askToPromote();
    await click("Publish saved version");
    expect(router.push).toHaveBeenCalledExactlyOnceWith(review);
    expect(posts()).toEqual([]);
    expect(field("Key")).toHaveValue("OEM_SCENT_2");
  });

  it("L8: their save goes on from the version that a publication has stored", async () => {
    await askToPromote();
    await click("Cancel");
    stored = { ...stored, id: 40, status: "PRODUCTION" };
    await followPublished([{ family: "vehicle_data", key: "cabinScent" }]);
    await click("Save");
    await waitFor(() => {
      expect(posts()).toEqual([expect.objectContaining({ key: "OEM_SCENT_2", base_id: 40 })]);
    });
  });

  it("what somebody else has changed before is still asked about", async () => {
    await askToPromote();
    await click("Cancel");
    stored = { ...scent, id: 40, key: "THEIRS" };
    await followPublished([{ family: "vehicle_data", key: "cabinScent" }]);
    await click("Save");
    await waitFor(() => {
      expect(posts()).toEqual([expect.objectContaining({ base_id: 20 })]);
    });
  });

  it("can save them first", async () => {
    await askToPromote();
    await click("Save and publish");
    await waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith(review));
    expect(posts()).toEqual([expect.objectContaining({ key: "OEM_SCENT_2", base_id: 20 })]);
  });

  it("promotes nothing when they cannot be saved", async () => {
    await show();
    await userEvent.clear(field("Key"));
    await click("Publish to production");
    await screen.findByRole("alertdialog", { name: "Publish with unsaved changes?" });
    await click("Save and publish");
    expect(await screen.findByText(/Fix 1 problem/)).toBeVisible();
    expect(router.push).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });
});

describe("drafts of items that are not stored yet", () => {
  const aNewItem = (name: string | null) =>
    anItem({ item: { ...scent, id: null, name }, nodeId: null, status: null, changedAt: null });

  it("a copy has one of its own, which is found again and says so", async () => {
    item = aNewItem("cabinScentCopy");
    const { unmount } = await show({ from: "20" });
    await userEvent.type(field("Key"), "_COPY");
    expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
    unmount();
    item = aNewItem(null);
    const { unmount: leave } = await show({});
    expect(field("Key")).toHaveValue("OEM_SCENT");
    leave();
    item = aNewItem("cabinScentCopy");
    await show({ from: "20" });
    expect(field("Key")).toHaveValue("OEM_SCENT_COPY");
    expect(screen.getByText("Unsaved changes restored")).toBeVisible();
    await userEvent.type(field("Key"), "!");
    expect(screen.queryByText("Unsaved changes restored")).not.toBeInTheDocument();
  });

  it("goes from one form to the other without a step in between", async () => {
    item = aNewItem("cabinScentCopy");
    const { rerender } = await show({ from: "20" });
    await userEvent.type(field("Key"), "_COPY");
    item = aNewItem(null);
    const page = await draw({});
    act(() => {
      rerender(page);
    });
    expect(field("Key")).toHaveValue("OEM_SCENT");
    expect(field("Name")).toHaveValue("");
  });
});
