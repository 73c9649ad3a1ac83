import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { RoleProvider } from "@/app/_components/shell/role";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { Toaster } from "@/app/_components/shell/toaster";
import { anItem, TestForm } from "@/test/support/test-form";
import { router } from "@/test/support/navigation";
import { api, bodies, button, checkbox, expectBodies, field, holdAnswers, press, pressNext } from "@/test/support/page";

const refuseOnce = (status: number, message: string, data: unknown = {}) => {
  api.answer = () => {
    api.answer = () => ({ data: {} });
    return { status, message, data };
  };
};
const saved = () => bodies("/api/v1/items");

const show = (around: ReactNode = null) =>
  render(
    <>
      <TestForm />
      <Toaster />
      {around}
    </>,
  );
const note = () => field("Note");
const name = () => field("Name");
const save = () => press("Save");
const footer = () => screen.queryByRole("region", { name: "Unsaved changes" });
async function change(input: HTMLElement, text: string) {
  await userEvent.clear(input);
  if (text !== "") await userEvent.type(input, text);
}

describe("a draft", () => {
  it("counts what differs, shows it, and stops counting what is put back", async () => {
    render(<TestForm />);
    expect(footer()).not.toBeInTheDocument();
    await change(note(), "new");
    expect(footer()).toHaveTextContent("1 unsaved change");
    await userEvent.click(checkbox("All apps"));
    expect(footer()).toHaveTextContent("2 unsaved changes");
    await press("Show");
    const dialog = await screen.findByRole("dialog", { name: "2 unsaved changes" });
    // The list of changes is fetched when it is wanted first.
    expect(await within(dialog).findByText("Note")).toBeVisible();
    expect(dialog).toHaveTextContent(/Note.*Before: old.*Now: new/);
    expect(dialog).toHaveTextContent(/All apps.*Before: no.*Now: yes/);
    await userEvent.keyboard("{Escape}");
    await change(note(), "old");
    await userEvent.click(checkbox("All apps"));
    expect(footer()).not.toBeInTheDocument();
    expect(sessionStorage).toHaveLength(0);
  });

  it("finding A3: is stored with faults of the staging table, which are shown until they are closed", async () => {
    show();
    const finding = { path: "functional_groupings", message: "A head unit refuses the whole update: too many." };
    api.answer = () => ({ data: { findings: [finding, finding] } });
    await change(note(), "new");
    await save();
    expect(await screen.findByText("Saved, but the staging table now has a problem")).toBeInTheDocument();
    expect(screen.getAllByText(/^A head unit refuses the whole update: too many\./)).toHaveLength(1);
    expect(screen.getByText("functional_groupings")).toBeInTheDocument();
    expect(await screen.findByText("Saved to staging")).toBeInTheDocument();
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("is discarded as a whole, and brought back by the toast", async () => {
    show();
    await change(note(), "new");
    await press("Discard");
    expect(note()).toHaveValue("old");
    await pressNext("Undo");
    expect(note()).toHaveValue("new");
  });

  it("finding E3: takes what was said about it along", async () => {
    render(<TestForm />);
    await change(note(), "much too long a note");
    await save();
    expect(await screen.findAllByText(/The note is too long/)).not.toEqual([]);
    await press("Discard");
    expect(screen.queryByText(/The note is too long/)).not.toBeInTheDocument();
  });

  it("keeps the version it started from when a newer one comes with the page", async () => {
    render(<TestForm />);
    await change(note(), "new");
    cleanup();
    render(<TestForm item={{ ...anItem, id: 9, name: "Base-5" }} />);
    expect(note()).toHaveValue("new");
    expect(name()).toHaveValue("Base-4");
    await save();
    expect(saved()).toEqual([expect.objectContaining({ note: "new", base_id: 7 })]);
  });
});

describe("saving", () => {
  it("sends the draft with the version it started from, and loads the page again", async () => {
    const { rerender } = show();
    await change(note(), "new");
    await save();
    expect(saved()).toEqual([{ ...anItem, note: "new", base_id: 7 }]);
    expect(await screen.findByText("Saved to staging")).toBeInTheDocument();
    expect(router.refresh).toHaveBeenCalledOnce();
    // Until the page comes the saved state stands.
    expect(note()).toHaveValue("new");
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
    rerender(<TestForm item={{ ...anItem, id: 8, note: "new" }} />);
    await change(note(), "newer");
    await save();
    expect(saved()[1]).toEqual({ ...anItem, id: 8, note: "newer", base_id: 8 });
  });

  it("carries on with changes made before the page was loaded again", async () => {
    const { rerender } = render(<TestForm />);
    await change(note(), "new");
    await save();
    await change(name(), "Base-5");
    rerender(<TestForm item={{ ...anItem, id: 8, note: "new" }} />);
    await save();
    expect(saved()[1]).toEqual({ ...anItem, id: 8, note: "new", name: "Base-5", base_id: 8 });
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
    await save();
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
    refuseOnce(400, "Consent prompt not found: Location");
    render(<TestForm />);
    await change(note(), "new");
    await save();
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Consent prompt not found: Location");
    expect(alert).toHaveTextContent("9a1e0000-0000-4000-8000-000000000000");
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
    expect(button("Save")).toHaveAttribute("aria-disabled", "true");
    expect(button("Save")).toHaveAttribute("title", expect.stringContaining("without a connection"));
    await save();
    expect(saved()).toEqual([]);
  });

  it("7: a session that is over asks for the password over the page, and then saves", async () => {
    refuseOnce(401, "Password missing or wrong");
    show(<SignInDialog />);
    await change(note(), "new");
    await save();
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
    await userEvent.type(await within(dialog).findByLabelText("Password"), "open sesame");
    await press("Sign in", within(dialog));
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toEqual(saved()[0]);
    expect(api.sent.map(({ path }) => path)).toEqual(["/api/v1/items", "/api/v1/login", "/api/v1/items"]);
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("7: whoever does not sign in again keeps the draft", async () => {
    refuseOnce(401, "Password missing or wrong");
    show(<SignInDialog />);
    await change(note(), "new");
    await save();
    await pressNext("Close");
    await waitFor(() => expect(footer()).toHaveTextContent("1 unsaved change"));
    expect(note()).toHaveValue("new");
    expect(saved()).toHaveLength(1);
  });
});

describe("when somebody else has saved meanwhile", () => {
  const theirs = { ...anItem, id: 9, note: "theirs", isDefault: true, count: 5 };

  async function meet(current: unknown) {
    refuseOnce(409, "The item was changed meanwhile", { current, submitted: {} });
    render(<TestForm />);
    await change(note(), "mine");
    await change(name(), "Base-5");
    await save();
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
    await pressNext("Back to my changes");
    expect(note()).toHaveValue("mine");
    expect(footer()).toHaveTextContent("2 unsaved changes");
    expect(saved()).toHaveLength(1);
  });

  it("of an item that is gone a new one can be made", async () => {
    await meet(null);
    await pressNext("Save as new item");
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ note: "mine", base_id: 0 });
  });
});

it("unsaved changes have the browser ask when the page is closed or reloaded", async () => {
  render(<TestForm />);
  const isHeld = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(isHeld()).toBe(false);
  await change(note(), "new");
  expect(isHeld()).toBe(true);
  await change(note(), "old");
  expect(isHeld()).toBe(false);
});

describe("a version that was stored by other means than the form", () => {
  it.each([
    ["is what the next save goes on from, when it has the content that the draft began with", "Base-4", 9],
    ["is left to be asked about, when somebody else has changed it", "Base-5", 7],
  ])("%s", async (_, stored, base_id) => {
    const { rerender } = render(<TestForm />);
    await change(note(), "mine");
    rerender(<TestForm item={{ ...anItem, name: stored }} baseId={9} />);
    expect(note()).toHaveValue("mine");
    await save();
    await expectBodies(expect.objectContaining({ note: "mine", base_id }));
  });

  it("makes no draft where there is none, and an older one changes none", async () => {
    const { rerender } = render(<TestForm />);
    rerender(<TestForm baseId={9} />);
    expect(footer()).not.toBeInTheDocument();
    await change(note(), "mine");
    rerender(<TestForm baseId={7} />);
    await save();
    await expectBodies(expect.objectContaining({ note: "mine", base_id: 9 }));
  });
});

describe("U9: what is typed while a save runs", () => {
  async function typeThroughSave() {
    const letGo = holdAnswers();
    await change(note(), "new");
    await save();
    await userEvent.type(note(), "er");
    letGo();
    await screen.findByText("Saved to staging");
  }

  it("stays in the field and in the draft, counts as unsaved, and goes out with the next save", async () => {
    const { rerender } = show();
    await typeThroughSave();
    expect(saved()).toEqual([expect.objectContaining({ note: "new", base_id: 7 })]);
    expect(note()).toHaveValue("newer");
    expect(footer()).toHaveTextContent("1 unsaved change");
    await userEvent.type(note(), "!");
    rerender(<TestForm item={{ ...anItem, note: "new" }} baseId={8} />);
    expect(note()).toHaveValue("newer!");
    expect(note()).toHaveFocus();
    await save();
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ note: "newer!", base_id: 8 });
    await waitFor(() => expect(footer()).not.toBeInTheDocument());
  });

  it("keeps what the server has tidied of the rest", async () => {
    const { rerender } = show();
    await userEvent.type(name(), " ");
    await typeThroughSave();
    rerender(<TestForm item={{ ...anItem, note: "new" }} baseId={8} />);
    await save();
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ name: "Base-4", note: "newer", base_id: 8 });
  });

  it("asks when somebody else has changed the same field before the page came", async () => {
    const { rerender } = show();
    await typeThroughSave();
    rerender(<TestForm item={{ ...anItem, note: "theirs" }} baseId={9} />);
    await save();
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ note: "newer", base_id: 7 });
  });

  it("is found again by whoever leaves the page meanwhile, without a question about their own save", async () => {
    const letGo = holdAnswers();
    const { unmount } = show();
    await change(note(), "new");
    await save();
    await userEvent.type(note(), "er");
    unmount();
    letGo();
    await waitFor(() =>
      expect(sessionStorage.getItem("draft:item")).toContain('"base":{"id":7,"name":"Base-4","note":"new"'),
    );
    render(<TestForm item={{ ...anItem, note: "new" }} baseId={8} />);
    expect(note()).toHaveValue("newer");
    await save();
    await waitFor(() => expect(saved()).toHaveLength(2));
    expect(saved()[1]).toMatchObject({ note: "newer", base_id: 8 });
  });

  it("stays after a refusal as well", async () => {
    show();
    await change(note(), "new");
    refuseOnce(503, "Service unavailable");
    await save();
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The server cannot reach its database right now.");
    expect(alert).toHaveTextContent("Nothing was saved. Your changes are kept here: save them again later.");
    expect(note()).toHaveValue("new");
  });
});

describe("people in one tab", () => {
  const showTo = (id: string) => (
    <RoleProvider role="editor" readerId={id}>
      <TestForm />
    </RoleProvider>
  );

  it("U13: have drafts of their own", async () => {
    const { rerender } = render(showTo("oidc|a|ann"));
    await change(note(), "ann's");
    rerender(showTo("oidc|a|bob"));
    expect(note()).toHaveValue("old");
    expect(footer()).not.toBeInTheDocument();
    await change(note(), "bob's");
    rerender(showTo("oidc|a|ann"));
    expect(note()).toHaveValue("ann's");
    expect(footer()).toHaveTextContent("1 unsaved change");
  });

  it("U13: save nothing for each other: who signs in over the page must be the same", async () => {
    api.answer = ({ method }) =>
      method === "GET"
        ? { data: { reader: { id: "oidc|a|bob", name: "Bob", role: "editor" } } }
        : { status: 401, message: "Password missing or wrong" };
    render(
      <RoleProvider role="editor" readerId="oidc|a|ann">
        <TestForm />
        <SignInDialog />
      </RoleProvider>,
    );
    await change(note(), "ann's");
    await save();
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
    await userEvent.type(await within(dialog).findByLabelText("Password"), "open sesame");
    api.answer = ({ method }) =>
      method === "GET" ? { data: { reader: { id: "oidc|a|bob", name: "Bob", role: "editor" } } } : { data: {} };
    await press("Sign in", within(dialog));
    expect(await screen.findByText(/Nothing was saved: somebody else has signed in/)).toBeVisible();
    expect(saved()).toHaveLength(1);
    expect(router.refresh).toHaveBeenCalled();
  });
});

it("a draft survives reloading the page, which says so", async () => {
  render(<TestForm />);
  await userEvent.type(note(), "er");
  cleanup();
  // A reload forgets everything but what the browser keeps.
  vi.resetModules();
  const reloaded = await import("@/test/support/test-form");
  render(<reloaded.TestForm />);
  expect(note()).toHaveValue("older");
  expect(screen.getByText("Unsaved changes restored")).toBeVisible();
  expect(footer()).toHaveTextContent("1 unsaved change");
  await press("Discard");
  expect(note()).toHaveValue("old");
  expect(sessionStorage).toHaveLength(0);
});
