import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { Button } from "@/app/_components/ui/button";
import { ConfirmDialog, type ConfirmDialogProps } from "@/app/_components/overlay/confirm-dialog";
import { ApiError } from "@/lib/platform/http/client";
import { press } from "@/test/support/page";

async function open(props: Partial<ConfirmDialogProps> = {}) {
  const onConfirm = vi.fn<() => unknown>();
  render(
    <ConfirmDialog
      title="Promote 4 groups?"
      confirmLabel="Promote 4 groups"
      onConfirm={onConfirm}
      trigger={<Button>Promote…</Button>}
      {...props}
    >
      <p>Production vehicles get them with their next update.</p>
    </ConfirmDialog>,
  );
  await press("Promote…");
  return { dialog: await screen.findByRole("alertdialog", { name: "Promote 4 groups?" }), onConfirm };
}
const confirm = () => screen.getByRole("button", { name: "Promote 4 groups" });
const isClosed = () => vi.waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());

// The first test of the file: afterwards the code is there.
it("U2: drops keys that are pressed before its code has come", async () => {
  const onConfirm = vi.fn<() => unknown>();
  render(
    <ConfirmDialog title="Promote 4 groups?" confirmLabel="Promote 4 groups" onConfirm={onConfirm} open>
      <p>Production vehicles get them with their next update.</p>
    </ConfirmDialog>,
  );
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true });
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus());
  expect(onConfirm).not.toHaveBeenCalled();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("shows the effect, begins on Cancel, and leaves no trace when cancelled", async () => {
  const { dialog, onConfirm } = await open();
  expect(dialog).toHaveAccessibleDescription(/Production vehicles get them/);
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Cancel" })).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  await isClosed();
  expect(onConfirm).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Promote…" })).toHaveFocus();
});

it("acts once, and closes when that has worked", async () => {
  const { onConfirm } = await open();
  let finish: (value: unknown) => void = () => undefined;
  onConfirm.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
  await userEvent.click(confirm());
  expect(confirm()).toHaveAttribute("aria-busy", "true");
  await userEvent.click(confirm());
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("alertdialog")).toBeVisible();
  finish(null);
  await isClosed();
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("stays open with the reason when the act fails, and lets it be tried again", async () => {
  const { onConfirm } = await open();
  onConfirm.mockRejectedValueOnce(new ApiError("Consent prompt is not in production: Location", 400, "0b5c", null));
  await userEvent.click(confirm());
  expect(await screen.findByRole("alert")).toHaveTextContent(/Consent prompt is not in production: Location.*0b5c/);
  await userEvent.click(confirm());
  await isClosed();
});

it("wants a word typed before it removes something, and begins there", async () => {
  const { onConfirm } = await open({ danger: true, typedWord: "production" });
  const field = screen.getByRole("textbox", { name: "Type production to go on" });
  await vi.waitFor(() => expect(field).toHaveFocus());
  await userEvent.click(confirm());
  await userEvent.type(field, "Production");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(onConfirm).not.toHaveBeenCalled();
  expect(confirm()).toHaveAttribute("aria-disabled", "true");
  await userEvent.clear(field);
  await userEvent.type(field, "production");
  await userEvent.click(confirm());
  expect(onConfirm).toHaveBeenCalledOnce();
});

it("says why the act is not possible", async () => {
  const { onConfirm } = await open({ disabledReason: "The prompt Location is only in staging" });
  expect(screen.getByText("The prompt Location is only in staging")).toBeVisible();
  await userEvent.click(confirm());
  expect(onConfirm).not.toHaveBeenCalled();
});

it("finding E3: takes Ctrl-Enter from the moment it can be seen", async () => {
  const { onConfirm } = await open();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await isClosed();
  expect(onConfirm).toHaveBeenCalledOnce();
});
