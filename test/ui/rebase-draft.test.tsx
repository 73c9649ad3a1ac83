import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { discardDrafts, rebaseDraft } from "@/app/_components/form/draft-store";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";
import { anItem, TestForm, type TestItem } from "@/test/support/test-form";

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), refresh: vi.fn() }),
}));

let sent: SentRequest[] = [];
beforeEach(() => {
  stubBrowser();
  sent = stubApi(() => ({ data: {} }));
});
afterEach(() => {
  cleanup();
  discardDrafts(["item"]);
  vi.unstubAllGlobals();
});

const withoutId = ({ id: _id, ...rest }: TestItem) => JSON.stringify(rest);
const isSameItem = (one: TestItem, other: TestItem) => withoutId(one) === withoutId(other);
const change = (text: string) => {
  fireEvent.change(screen.getByRole("textbox", { name: "Note" }), { target: { value: text } });
};
function rebase(value: TestItem, isSame?: typeof isSameItem): boolean {
  let isRebased = false;
  act(() => {
    isRebased = rebaseDraft("item", { id: value.id, value }, isSame);
  });
  return isRebased;
}

describe("a version that was stored by other means than the form", () => {
  it("is what the next save goes on from, when it has the content that the draft began with", async () => {
    render(<TestForm />);
    change("mine");
    expect(rebase({ ...anItem, id: 9 }, isSameItem)).toBe(true);
    expect(screen.getByRole("textbox", { name: "Note" })).toHaveValue("mine");
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await vi.waitFor(() => {
      expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ note: "mine", base_id: 9 })]);
    });
  });

  it("is left to be asked about, when somebody else has changed it", async () => {
    render(<TestForm />);
    change("mine");
    expect(rebase({ ...anItem, id: 9, name: "Base-5" }, isSameItem)).toBe(false);
    expect(rebase({ ...anItem, id: 9 })).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await vi.waitFor(() => {
      expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ note: "mine", base_id: 7 })]);
    });
  });

  it("makes no draft where there is none", () => {
    render(<TestForm />);
    expect(rebase(anItem)).toBe(false);
    expect(screen.queryByRole("region", { name: "Unsaved changes" })).not.toBeInTheDocument();
  });
});
