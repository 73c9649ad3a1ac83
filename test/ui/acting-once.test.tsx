import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type FunctionComponent, startTransition, useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { InputOnDemand, type TakenOver } from "@/app/_components/fields/input-on-demand";
import { noteActivity } from "@/app/_components/hooks/use-activity";
import { useAction } from "@/app/_components/hooks/use-action";
import { useSearchKey } from "@/app/_components/hooks/use-search-key";
import { Menu } from "@/app/_components/overlay/menu";
import { dialogOnDemand, onDemand, overlay } from "@/app/_components/overlay/on-demand";
import type { OpenState } from "@/app/_components/overlay/opener";
import { Toaster } from "@/app/_components/shell/toaster";
import { Button } from "@/app/_components/ui/button";
import { TestForm } from "@/test/support/test-form";
import { router } from "@/test/support/navigation";
import { api, button, pick, type } from "@/test/support/page";

function aLoad<Props>(Code: FunctionComponent<Props>) {
  const calls: { arrive: () => void; fail: () => void }[] = [];
  const load = () =>
    new Promise<FunctionComponent<Props>>((resolve, reject) => {
      calls.push({ arrive: () => resolve(Code), fail: () => reject(new Error("no such chunk")) });
    });
  return { load, last: () => calls.at(-1), calls };
}

const happens = (what: () => void) =>
  act(async () => {
    what();
    await Promise.resolve();
  });

function Page({ onKey }: Readonly<{ onKey: () => void }>) {
  useSearchKey(() => {
    onKey();
    return null;
  });
  return null;
}

function Question({ open, onOpenChange }: Readonly<OpenState>) {
  return open ? (
    <div role="dialog" aria-label="Question">
      <input autoFocus aria-label="Answer" onKeyDown={({ key }) => key === "Escape" && onOpenChange(false)} />
    </div>
  ) : null;
}

const trigger = <Button>Ask</Button>;
const askButton = () => button("Ask");

describe("while a dialog is fetched", () => {
  it("U2: keys reach neither the page below nor, later, the dialog", async () => {
    const { load, last } = aLoad(Question);
    const Asked = overlay<object>(load);
    const onKey = vi.fn();
    render(
      <>
        <Page onKey={onKey} />
        <Asked trigger={trigger} />
      </>,
    );
    await userEvent.keyboard("/");
    expect(onKey).toHaveBeenCalledOnce();
    await userEvent.click(askButton());
    await userEvent.keyboard("v/");
    await happens(() => last()?.arrive());
    const answer = await screen.findByRole("textbox", { name: "Answer" });
    expect(answer).toHaveFocus();
    expect(answer).toHaveValue("");
    await userEvent.keyboard("yes/");
    expect(answer).toHaveValue("yes/");
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(onKey).toHaveBeenCalledOnce();
    await userEvent.keyboard("/");
    expect(onKey).toHaveBeenCalledTimes(2);
  });

  it("Enter and Space on its button open it once, and Escape gives it up", async () => {
    const { load, last, calls } = aLoad(Question);
    const Asked = overlay<object>(load);
    const onOpenChange = vi.fn();
    render(<Asked trigger={trigger} onOpenChange={onOpenChange} />);
    askButton().focus();
    await userEvent.keyboard("{Enter}{Enter} ");
    expect(onOpenChange.mock.calls).toEqual([[true]]);
    await userEvent.keyboard("{Escape}");
    expect(askButton()).toHaveAttribute("aria-expanded", "false");
    await happens(() => {
      for (const { arrive } of calls) arrive();
    });
    expect(last()).toBeDefined();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("a failure is told, and the next attempt fetches again", async () => {
    const { load, last, calls } = aLoad(Question);
    const Asked = overlay<object>(load);
    render(
      <>
        <Toaster />
        <Asked trigger={trigger} />
      </>,
    );
    await userEvent.click(askButton());
    await happens(() => {
      for (const { fail } of calls) fail();
    });
    expect(await screen.findByText("Something went wrong. Try again.")).toBeVisible();
    expect(askButton()).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(askButton());
    await happens(() => last()?.arrive());
    expect(await screen.findByRole("dialog", { name: "Question" })).toBeVisible();
  });

  it("that is in the page only while it is open, keys reach nothing either", async () => {
    const { load, last } = aLoad(({ name }: Readonly<{ name: string }>) => (
      <div role="dialog">
        <input autoFocus aria-label={name} />
      </div>
    ));
    const Asked = dialogOnDemand(load);
    const onKey = vi.fn();
    render(
      <>
        <Page onKey={onKey} />
        <Asked name="Reason" />
      </>,
    );
    await userEvent.keyboard("/");
    await happens(() => last()?.arrive());
    expect(await screen.findByRole("textbox", { name: "Reason" })).toHaveFocus();
    expect(onKey).not.toHaveBeenCalled();
  });
});

it("U2: a question that is opened from a menu gets no key before it is there, nor does the page", async () => {
  const { load, last } = aLoad(Question);
  const Asked = overlay<object>(load);
  const onKey = vi.fn();
  function Actions() {
    const [isAsking, setIsAsking] = useState(false);
    return (
      <>
        <Page onKey={onKey} />
        <Menu trigger={trigger} entries={[{ label: "Block…", onSelect: () => setIsAsking(true) }]} />
        <Asked open={isAsking} onOpenChange={setIsAsking} />
      </>
    );
  }
  render(<Actions />);
  await userEvent.click(askButton());
  await pick("Block…");
  // The menu gives the focus back to its button, and the question has not come yet.
  await waitFor(() => expect(askButton()).toHaveFocus());
  await userEvent.keyboard("/{Enter}");
  expect(screen.queryByRole("menu")).not.toBeInTheDocument();
  await happens(() => last()?.arrive());
  expect(await screen.findByRole("textbox", { name: "Answer" })).toHaveValue("");
  expect(onKey).not.toHaveBeenCalled();
});

it("a menu: opens once for two clicks, on its first entry for keys, and gives the focus back", async () => {
  const onSelect = vi.fn();
  render(
    <Menu
      trigger={trigger}
      entries={[
        { label: "Copy", onSelect },
        { label: "Delete…", onSelect: vi.fn() },
      ]}
    />,
  );
  await userEvent.click(askButton());
  fireEvent.click(askButton());
  expect(await screen.findAllByRole("menu", { name: "Ask" })).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).not.toBeInTheDocument());
  await waitFor(() => expect(askButton()).toHaveFocus());
  await userEvent.keyboard("{ArrowDown}");
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Copy" })).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  expect(onSelect).toHaveBeenCalledOnce();
  await waitFor(() => expect(askButton()).toHaveFocus());
});

it("U3: a field that is entered while its list arrives stays entered, with what was typed", async () => {
  const Search = ({ inputRef, typed, defaultOpen }: TakenOver) => (
    <input ref={inputRef} aria-label="With a list" defaultValue={typed} aria-expanded={defaultOpen} role="combobox" />
  );
  const { load, last } = aLoad<TakenOver>(Search);
  render(<InputOnDemand useCode={onDemand(load)} plain={<input aria-label="Without a list" />} props={{}} />);
  act(noteActivity);
  await userEvent.type(screen.getByRole("combobox", { name: "Without a list" }), "rad");
  await happens(() => last()?.arrive());
  const field = screen.getByRole("combobox", { name: "With a list" });
  expect(field).toHaveFocus();
  expect(field).toHaveValue("rad");
  expect(field).toHaveAttribute("aria-expanded", "true");
});

it("acting twice: stores a form once, also while its check is fetched", async () => {
  render(<TestForm />);
  await type("Note", "!");
  await userEvent.keyboard("{Control>}ss{/Control}");
  await waitFor(() => expect(api.sent).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Unsaved changes" })).not.toBeInTheDocument());
  expect(api.sent).toHaveLength(1);
});

it("acting twice: U3: a button stays busy until the page tells the new state", async () => {
  let arrive: () => void = () => undefined;
  const page = new Promise<void>((resolve) => (arrive = resolve));
  // As the router: the transition ends with the new page.
  router.refresh.mockImplementation(() => startTransition(() => page));
  function Decide() {
    const { tryRun, isRunning } = useAction("/api/v1/applications/action");
    return (
      <Button busy={isRunning} onClick={() => void tryRun({})}>
        Approve
      </Button>
    );
  }
  render(<Decide />);
  const approve = () => button("Approve");
  await userEvent.click(approve());
  await waitFor(() => expect(router.refresh).toHaveBeenCalledOnce());
  expect(approve()).toHaveAttribute("aria-busy", "true");
  await userEvent.click(approve());
  await happens(() => arrive());
  await waitFor(() => expect(approve()).not.toHaveAttribute("aria-busy"));
  expect(router.refresh).toHaveBeenCalledOnce();
});
