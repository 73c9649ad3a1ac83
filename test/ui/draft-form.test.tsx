import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import Link from "next/link";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { discardDrafts } from "@/app/_components/form/draft-store";
import { OnDemand } from "@/app/_components/shell/on-demand";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { Toaster } from "@/app/_components/shell/toaster";
import { anItem, TestForm } from "@/test/support/test-form";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), useRouter: () => router }));

const send = vi.fn<typeof fetch>();
const answer = (code: number, message: string | null = null, data: unknown = {}) =>
  Response.json({ meta: { request_id: "0b5c-request", code, message }, data }, { status: code });
/** Bodies of the saves so far. */
const saved = () =>
  send.mock.calls
    .filter(([url]) => url === "/api/v1/items")
    .map(([, init]) => JSON.parse(typeof init?.body === "string" ? init.body : "null"));

beforeEach(() => {
  vi.stubGlobal("fetch", send);
  send.mockImplementation(() => Promise.resolve(answer(200)));
});
afterEach(() => {
  cleanup();
  discardDrafts(["item"]);
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const note = () => screen.getByRole("textbox", { name: "Note" });
const name = () => screen.getByRole("textbox", { name: "Name" });
const saveButton = () => screen.getByRole("button", { name: "Save" });
const footer = () => screen.queryByRole("region", { name: "Unsaved changes" });
async function change(field: HTMLElement, text: string) {
  await userEvent.clear(field);
  if (text !== "") await userEvent.type(field, text);
}

describe("a draft", () => {
  it("counts what differs, shows it, and stops counting what is put back", async () => {
    render(<TestForm />);
    expect(footer()).not.toBeInTheDocument();
    await change(note(), "new");
    expect(footer()).toHaveTextContent("1 unsaved change");
    await userEvent.click(screen.getByRole("checkbox", { name: "All apps" }));
    expect(footer()).toHaveTextContent("2 unsaved changes");
    await userEvent.click(screen.getByRole("button", { name: "Show" }));
    const dialog = await screen.findByRole("dialog", { name: "2 unsaved changes" });
    // The list of changes is fetched when it is wanted first.
    expect(await within(dialog).findByText("Note")).toBeVisible();
    expect(dialog).toHaveTextContent(/Note.*Before: old.*Now: new/);
    expect(dialog).toHaveTextContent(/All apps.*Before: no.*Now: yes/);
    await userEvent.keyboard("{Escape}");
    await change(note(), "old");
    await userEvent.click(screen.getByRole("checkbox", { name: "All apps" }));
    expect(footer()).not.toBeInTheDocument();
    expect(sessionStorage).toHaveLength(0);
  });

  it("finding A3: is stored with faults of the staging table, which are shown until they are closed", async () => {
    render(
      <>
        <TestForm />
        <Toaster />
      </>,
    );
    const finding = { path: "functional_groupings", message: "A head unit refuses the whole update: too many." };
    send.mockImplementation(() => Promise.resolve(answer(200, null, { findings: [finding, finding] })));
    await change(note(), "new");
    await userEvent.click(saveButton());
    expect(await screen.findByText("Saved, but the staging table now has a problem")).toBeInTheDocument();
    expect(screen.getAllByText(/^A head unit refuses the whole update: too many\./)).toHaveLength(1);
    expect(screen.getByText("functional_groupings")).toBeInTheDocument();
    expect(await screen.findByText("Saved to staging")).toBeInTheDocument();
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("is discarded as a whole, and brought back by the toast", async () => {
    render(
      <>
        <TestForm />
        <Toaster />
      </>,
    );
    await change(note(), "new");
    await userEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(note()).toHaveValue("old");
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect(note()).toHaveValue("new");
  });

  it("finding E3: takes what was said about it along", async () => {
    render(<TestForm />);
    await change(note(), "much too long a note");
    await userEvent.click(saveButton());
    expect(await screen.findAllByText(/The note is too long/)).not.toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByText(/The note is too long/)).not.toBeInTheDocument();
  });

  it("keeps the version it started from when a newer one comes with the page", async () => {
    render(<TestForm />);
    await change(note(), "new");
    cleanup();
    render(<TestForm item={{ ...anItem, id: 9, name: "Base-5" }} />);
    expect(note()).toHaveValue("new");
    expect(name()).toHaveValue("Base-4");
    await userEvent.click(saveButton());
    expect(saved()).toEqual([expect.objectContaining({ note: "new", base_id: 7 })]);
  });
});

describe("saving", () => {
  it("sends the draft with the version it started from, and loads the page again", async () => {
    const { rerender } = render(
      <>
        <TestForm />
        <Toaster />
      </>,
    );
    await change(note(), "new");
    await userEvent.click(saveButton());
    expect(saved()).toEqual([{ ...anItem, note: "new", base_id: 7 }]);
    expect(await screen.findByText("Saved to staging")).toBeInTheDocument();
    expect(router.refresh).toHaveBeenCalledOnce();
    // Until the page comes the saved state stands.
    expect(note()).toHaveValue("new");
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
    rerender(<TestForm item={{ ...anItem, id: 8, note: "new" }} />);
    await change(note(), "newer");
    await userEvent.click(saveButton());
    expect(saved()[1]).toEqual({ ...anItem, id: 8, note: "newer", base_id: 8 });
  });

  it("carries on with changes made before the page was loaded again", async () => {
    const { rerender } = render(<TestForm />);
    await change(note(), "new");
    await userEvent.click(saveButton());
    await change(name(), "Base-5");
    rerender(<TestForm item={{ ...anItem, id: 8, note: "new" }} />);
    await userEvent.click(saveButton());
    expect(saved()[1]).toEqual({ ...anItem, note: "new", name: "Base-5", base_id: 8 });
  });

  it("Ctrl-S saves", async () => {
    render(<TestForm />);
    await userEvent.keyboard("{Control>}s{/Control}");
    expect(saved()).toEqual([]);
    await change(note(), "new");
    await userEvent.keyboard("{Control>}s{/Control}");
    expect(saved()).toHaveLength(1);
  });

  it("errors stand beside the fields and above the form, with links", async () => {
    render(<TestForm />);
    await change(name(), "");
    await change(note(), "much too long a note");
    await userEvent.click(saveButton());
    const summary = await screen.findByRole("alert");
    expect(summary).toHaveTextContent("Fix 2 problems");
    expect(summary).toHaveFocus();
    expect(name()).toBeInvalid();
    expect(name()).toHaveAccessibleDescription("A name is needed");
    await userEvent.click(within(summary).getByRole("link", { name: "Note: The note is too long" }));
    expect(note()).toHaveFocus();
    expect(saved()).toEqual([]);
    expect(note()).toHaveValue("much too long a note");
  });

  it("a refusal is told with the id of the request, and leaves the form as it is", async () => {
    send.mockResolvedValueOnce(answer(400, "Consent prompt not found: Location"));
    render(<TestForm />);
    await change(note(), "new");
    await userEvent.click(saveButton());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Consent prompt not found: Location");
    expect(alert).toHaveTextContent("0b5c-request");
    expect(note()).toHaveValue("new");
    expect(footer()).toBeInTheDocument();
    expect(router.refresh).not.toHaveBeenCalled();
  });

  it("is not possible without a connection, and says why", async () => {
    render(<TestForm />);
    await change(note(), "new");
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    act(() => {
      fireEvent(window, new Event("offline"));
    });
    expect(saveButton()).toHaveAttribute("aria-disabled", "true");
    expect(saveButton()).toHaveAttribute("title", expect.stringContaining("without a connection"));
    await userEvent.click(saveButton());
    expect(saved()).toEqual([]);
    vi.restoreAllMocks();
  });

  it("7: a session that is over asks for the password over the page, and then saves", async () => {
    send.mockResolvedValueOnce(answer(401, "Password missing or wrong"));
    render(
      <>
        <TestForm />
        <SignInDialog />
      </>,
    );
    await change(note(), "new");
    await userEvent.click(saveButton());
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
    await userEvent.type(await within(dialog).findByLabelText("Password"), "open sesame");
    await userEvent.click(within(dialog).getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toEqual(saved()[0]);
    expect(send.mock.calls.map(([url]) => url)).toEqual(["/api/v1/items", "/api/v1/login", "/api/v1/items"]);
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("7: whoever does not sign in again keeps the draft", async () => {
    send.mockResolvedValueOnce(answer(401, "Password missing or wrong"));
    render(
      <>
        <TestForm />
        <SignInDialog />
      </>,
    );
    await change(note(), "new");
    await userEvent.click(saveButton());
    await userEvent.click(await screen.findByRole("button", { name: "Close" }));
    await waitFor(() => expect(footer()).toHaveTextContent("1 unsaved change"));
    expect(note()).toHaveValue("new");
    expect(saved()).toHaveLength(1);
  });
});

describe("when somebody else has saved meanwhile", () => {
  const theirs = { ...anItem, id: 9, note: "theirs", isDefault: true, count: 5 };
  const conflict = (current: unknown) => answer(409, "The item was changed meanwhile", { current, submitted: {} });

  async function meet(current: unknown) {
    send.mockResolvedValueOnce(conflict(current));
    render(<TestForm />);
    await change(note(), "mine");
    await change(name(), "Base-5");
    await userEvent.click(saveButton());
  }

  it("shows base, theirs and mine, and saves what is chosen on top of theirs", async () => {
    await meet(theirs);
    const dialog = await screen.findByRole("dialog", { name: "Someone else has saved changes" });
    const dispute = within(dialog).getByRole("group", { name: "Note" });
    expect(dispute).toHaveTextContent(/Before: old.*theirs.*mine/);
    expect(within(dialog).getAllByRole("group")).toHaveLength(1);
    expect(dialog).toHaveTextContent(/Changed only by them, taken over.*All apps.*yes/);
    expect(dialog).toHaveTextContent(/Changed only by me, kept.*Name.*Base-5/);
    const go = within(dialog).getByRole("button", { name: "Save my choice" });
    expect(go).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(within(dispute).getByRole("radio", { name: /^Mine/ }));
    await userEvent.click(go);
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toEqual({ ...theirs, note: "mine", name: "Base-5", base_id: 9 });
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("going back leaves the draft as it was", async () => {
    await meet(theirs);
    await userEvent.click(await screen.findByRole("button", { name: "Back to my changes" }));
    expect(note()).toHaveValue("mine");
    expect(footer()).toHaveTextContent("2 unsaved changes");
    expect(saved()).toHaveLength(1);
  });

  it("of an item that is gone a new one can be made", async () => {
    await meet(null);
    await userEvent.click(await screen.findByRole("button", { name: "Save as new item" }));
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ note: "mine", base_id: 0 });
  });
});

describe("leaving unsaved changes", () => {
  async function leave() {
    render(
      <>
        <TestForm />
        <Link href="/applications?q=a">Elsewhere</Link>
        <Link href="/?tab=rpcs">Another tab of this page</Link>
        <OnDemand />
      </>,
    );
    const links = vi.fn<(event: Event) => void>((event) => {
      event.preventDefault();
    });
    document.addEventListener("click", links);
    await change(note(), "new");
    links.mockClear();
    return links;
  }
  const go = () => userEvent.click(screen.getByRole("link", { name: "Elsewhere" }));

  it("asks once; staying changes nothing", async () => {
    const links = await leave();
    await go();
    expect(await screen.findByRole("alertdialog", { name: "Leave unsaved changes?" })).toBeVisible();
    const stay = screen.getByRole("button", { name: "Stay" });
    await waitFor(() => expect(stay).toHaveFocus());
    await userEvent.click(stay);
    expect(router.push).not.toHaveBeenCalled();
    // The router has seen the buttons of the dialog, but not the link.
    expect(links.mock.calls.some(([{ target }]) => target instanceof HTMLAnchorElement)).toBe(false);
    expect(note()).toHaveValue("new");
    document.removeEventListener("click", links);
  });

  it("leaves with a draft, or without one", async () => {
    const links = await leave();
    await go();
    await userEvent.click(await screen.findByRole("button", { name: "Leave as draft" }));
    await waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith("/applications?q=a"));
    expect(sessionStorage).toHaveLength(1);
    await go();
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    await waitFor(() => expect(router.push).toHaveBeenCalledTimes(2));
    expect(sessionStorage).toHaveLength(0);
    document.removeEventListener("click", links);
  });

  it("does not ask within the page, in a new tab, or when nothing has changed", async () => {
    const links = await leave();
    await userEvent.click(screen.getByRole("link", { name: "Another tab of this page" }));
    const user = userEvent.setup();
    await user.keyboard("{Control>}");
    await user.click(screen.getByRole("link", { name: "Elsewhere" }));
    await user.keyboard("{/Control}");
    await change(note(), "old");
    await go();
    expect(links.mock.calls.filter(([{ target }]) => target instanceof HTMLAnchorElement)).toHaveLength(3);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    document.removeEventListener("click", links);
  });

  it("has the browser ask when the page is closed or reloaded", async () => {
    render(<TestForm />);
    const isHeld = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(isHeld()).toBe(false);
    await change(note(), "new");
    expect(isHeld()).toBe(true);
    await change(note(), "old");
    expect(isHeld()).toBe(false);
  });
});
