import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { Toaster } from "@/app/_components/shell/toaster";
import { ApiError } from "@/lib/platform/http/client";
import { button } from "@/test/support/page";

const undo = { label: "Undo", onClick: () => undefined };
async function pass(seconds: number) {
  for (let second = 0; second < seconds; second++) await act(() => vi.advanceTimersByTimeAsync(1000));
}
const isShown = (text: string) => screen.queryByText(text) !== null;

beforeEach(async () => {
  // Loaded before time is in the hands of the test.
  await import("sonner");
  vi.useFakeTimers();
  render(<Toaster />);
});

it("U2: a toast ends after 10 s, one that offers something after 30 s", async () => {
  showDone("Saved");
  showProblem(new ApiError("Not saved", 400, null, null));
  showDone("Deleted", undo);
  await pass(9);
  expect(["Saved", "Not saved", "Deleted"].filter(isShown)).toEqual(["Saved", "Not saved", "Deleted"]);
  await pass(3);
  expect(["Saved", "Not saved", "Deleted"].filter(isShown)).toEqual(["Deleted"]);
  await pass(20);
  expect(isShown("Deleted")).toBe(false);
});

it("U2: time stands still while the focus is on a toast, and while nobody sees the page", async () => {
  showDone("Deleted", undo);
  await pass(20);
  button("Undo").focus();
  await pass(60);
  button("Undo").blur();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  await pass(60);
  expect(isShown("Deleted")).toBe(true);
  hidden.mockReturnValue(false);
  await pass(12);
  expect(isShown("Deleted")).toBe(false);
});
