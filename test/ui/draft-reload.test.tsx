import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { TestForm } from "@/test/support/test-form";

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), refresh: vi.fn() }),
}));

const note = () => screen.getByRole("textbox", { name: "Note" });

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
  expect(screen.getByRole("region", { name: "Unsaved changes" })).toHaveTextContent("1 unsaved change");
  await userEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect(note()).toHaveValue("old");
  expect(sessionStorage).toHaveLength(0);
});
