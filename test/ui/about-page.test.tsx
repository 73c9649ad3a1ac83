import { render, screen } from "@testing-library/react";
import type { ComponentProps } from "react";
import { describe, expect, it } from "vitest";
import { VersionLine } from "@/app/(console)/about/version-line";

const show = (props: Partial<ComponentProps<typeof VersionLine>>) =>
  render(<VersionLine current="1.2.0" latest="1.2.0" updateType={null} page={null} check="done" {...props} />);

describe("the version", () => {
  it("leads to the newer one, in a new tab", () => {
    show({ latest: "1.3.0", updateType: "minor", page: "https://example.com/releases/1.3.0" });
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
    show({ check: "failed" });
    expect(screen.getByText("Could not check for updates")).toBeVisible();
    expect(screen.queryByText("Current")).not.toBeInTheDocument();
  });

  it("says when nobody looks for newer ones", () => {
    show({ check: "off" });
    expect(screen.getByText(/Update check is off/)).toBeVisible();
    expect(screen.queryByText("Current")).not.toBeInTheDocument();
  });
});
