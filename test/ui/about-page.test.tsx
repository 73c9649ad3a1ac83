import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type VersionFacts, VersionLine } from "@/app/(console)/about/version-line";

const current: VersionFacts = {
  current_version: "1.2.0",
  latest_version: "1.2.0",
  update_type: null,
  update_page: null,
  update_check: "done",
};
const show = (facts: Partial<VersionFacts>) => render(<VersionLine about={{ ...current, ...facts }} />);

describe("the version", () => {
  it("leads to the newer one, in a new tab", () => {
    show({ latest_version: "1.3.0", update_type: "minor", update_page: "https://example.com/releases/1.3.0" });
    expect(screen.getByText("1.3.0 is available (minor)")).toBeVisible();
    const link = screen.getByRole("link", { name: "Read about 1.3.0 (new tab)" });
    expect(link).toHaveAttribute("href", "https://example.com/releases/1.3.0");
    expect(link).toHaveAttribute("target", "_blank");
    expect(screen.queryByText("Current")).not.toBeInTheDocument();
  });

  it("is current only when looking for a newer one worked", () => {
    show({});
    expect(screen.getByText("Current")).toBeVisible();
    expect(screen.queryByRole("link")).not.toBeInTheDocument();
  });

  it("says that it could not check, and not that it is current", () => {
    show({ update_check: "failed" });
    expect(screen.getByText("Could not check for updates")).toBeVisible();
    expect(screen.queryByText("Current")).not.toBeInTheDocument();
  });

  it("says when nobody looks for newer ones", () => {
    show({ update_check: "off" });
    expect(screen.getByText(/Update check is off/)).toBeVisible();
    expect(screen.queryByText("Current")).not.toBeInTheDocument();
  });
});
