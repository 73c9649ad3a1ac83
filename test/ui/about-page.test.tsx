import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { type VersionFacts, VersionLine } from "@/app/(console)/about/version-line";

const current: VersionFacts = {
  current_version: "1.2.0",
  latest_version: "1.2.0",
  update_type: null,
  update_page: null,
  update_check: "done",
};
const show = (facts: Partial<VersionFacts>) => render(<VersionLine about={{ ...current, ...facts }} />);

it("the version leads to the newer one, in a new tab", () => {
  show({ latest_version: "1.3.0", update_type: "minor", update_page: "https://example.com/releases/1.3.0" });
  expect(screen.getByText("1.3.0 is available (minor)")).toBeVisible();
  const link = screen.getByRole("link", { name: "Read about 1.3.0 (new tab)" });
  expect(link).toHaveAttribute("href", "https://example.com/releases/1.3.0");
  expect(link).toHaveAttribute("target", "_blank");
  expect(screen.queryByText("Current")).not.toBeInTheDocument();
});

it.each([
  ["done", /^Current$/],
  ["failed", /^Could not check for updates$/],
  ["off", /Update check is off/],
] as const)("is current only when looking for a newer one worked: %s", (update_check, words) => {
  show({ update_check });
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.queryAllByText("Current")).toHaveLength(update_check === "done" ? 1 : 0);
  expect(screen.queryByRole("link")).not.toBeInTheDocument();
});
