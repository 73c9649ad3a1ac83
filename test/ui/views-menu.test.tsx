import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ListToolbar } from "@/app/_components/list/list-toolbar";
import { Toaster } from "@/app/_components/shell/toaster";

const at = vi.hoisted(() => ({ pathname: "", query: "" }));
const push = vi.hoisted(() => vi.fn<(href: string) => void>());
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  usePathname: () => at.pathname,
  useSearchParams: () => new URLSearchParams(at.query),
  useRouter: () => ({ push }),
}));

const key = "preference:views:/applications";
const stored = () => JSON.parse(localStorage.getItem(key) ?? "[]") as unknown;
const store = (...views: { name: string; query: string }[]) => {
  localStorage.setItem(key, JSON.stringify(views));
};
const blocked = { name: "Blocked", query: "state=blocked" };
const radio = { name: "Radio apps", query: "q=radio&sort=-name" };

beforeEach(() => {
  Object.assign(at, { pathname: "/applications", query: "q=radio&sort=-name&after=50" });
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.resetAllMocks();
});

function draw() {
  return render(
    <>
      <ListToolbar>filters</ListToolbar>
      <Toaster />
    </>,
  );
}

async function openMenu() {
  await userEvent.click(screen.getByRole("button", { name: "Views" }));
  return screen.findByRole("menu");
}
const names = (menu: HTMLElement) =>
  within(menu)
    .queryAllByRole("menuitemradio")
    .map((item) => item.textContent);
const choose = async (name: string) => userEvent.click(within(await openMenu()).getByRole("menuitem", { name }));
/** Toasts of other tests may still be there. */
async function undo(name: string) {
  const toast = (await screen.findByText(`The view “${name}” is deleted`)).closest("li");
  await userEvent.click(within(toast as HTMLElement).getByRole("button", { name: "Undo" }));
}

describe("saved views", () => {
  it("saves what the list shows under a name, without the page it is on", async () => {
    draw();
    await choose("Save this view…");
    const field = await screen.findByRole("textbox", { name: "Name of the view" });
    await waitFor(() => {
      expect(field).toHaveFocus();
    });
    await userEvent.keyboard("  Radio   apps {Enter}");
    await screen.findByText("The view “Radio apps” is saved");
    expect(stored()).toEqual([radio]);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(push).not.toHaveBeenCalled();
  });

  it("asks for a name, and says before it replaces a view of the same name", async () => {
    store(blocked, { name: "Radio apps", query: "q=old" });
    draw();
    await choose("Save this view…");
    const dialog = await screen.findByRole("dialog", { name: "Save this view" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Save view" }));
    const field = within(dialog).getByRole("textbox");
    expect(field).toHaveAccessibleDescription("Give the view a name.");
    await userEvent.type(field, "radio apps");
    expect(within(dialog).getByRole("status")).toHaveTextContent("There is a view “Radio apps”. Saving replaces it.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Replace view" }));
    expect(stored()).toEqual([blocked, { ...radio, name: "radio apps" }]);
  });

  it("leads to a view, and marks the one that is shown", async () => {
    store(radio, blocked);
    draw();
    const menu = await openMenu();
    expect(names(menu)).toEqual(["Blocked", "Radio apps"]);
    expect(within(menu).getByRole("menuitemradio", { checked: true })).toHaveTextContent("Radio apps");
    await userEvent.click(within(menu).getByRole("menuitemradio", { name: "Blocked" }));
    expect(push.mock.calls).toEqual([["/applications?state=blocked"]]);
  });

  it("deletes a view at once and brings it back, whatever was saved meanwhile", async () => {
    store(blocked, radio);
    draw();
    await choose("Delete view…");
    const dialog = await screen.findByRole("dialog", { name: "Delete a view" });
    expect(within(dialog).getByText("Shown now").closest("li")).toHaveTextContent("Radio apps");
    await userEvent.click(within(dialog).getByRole("button", { name: "Delete Blocked" }));
    expect(stored()).toEqual([radio]);
    const later = { name: "Later", query: "" };
    store(radio, later);
    await undo("Blocked");
    expect(stored()).toEqual([blocked, later, radio]);
  });

  it("undoing leaves alone what has taken the name since", async () => {
    store({ name: "Waiting", query: "" });
    draw();
    await choose("Delete view…");
    await userEvent.click(await screen.findByRole("button", { name: "Delete Waiting" }));
    const other = { name: "waiting", query: "q=x" };
    store(other);
    await undo("Waiting");
    expect(stored()).toEqual([other]);
  });

  it("shows no view of another list, and none where the stored text is damaged", async () => {
    store(radio);
    at.pathname = "/functionalgroups";
    localStorage.setItem("preference:views:/functionalgroups", '[{"name":');
    draw();
    const menu = await openMenu();
    expect(names(menu)).toEqual([]);
    expect(
      within(menu)
        .getAllByRole("menuitem")
        .map((item) => item.textContent),
    ).toEqual(["Save this view…"]);
  });
});
