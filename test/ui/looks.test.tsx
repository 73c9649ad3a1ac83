import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AppIcon } from "@/app/(console)/applications/app-icon";
import { initialsOf, tileOf } from "@/app/(console)/applications/app-icon";
import { Breakable } from "@/app/_components/ui/breakable";
import { JsonText } from "@/app/(console)/functionalgroups/manage/policy-json";
import { Pagination } from "@/app/_components/list/pagination";

const partsOf = (text: string) => {
  cleanup();
  const { container } = render(<Breakable text={text} />);
  expect(container).toHaveTextContent(text, { normalizeWhitespace: false });
  return container.innerHTML.replace(/<\/?span[^>]*>/g, "").split("<wbr>");
};

it.each([
  ["DrivingCharacteristics-3", ["Driving", "Characteristics-", "3"]],
  ["OnRCStatus", ["On", "RC", "Status"]],
  ["media_clock_timer", ["media_", "clock_", "timer"]],
  ["VehicleInfo-3.gps", ["Vehicle", "Info-", "3.", "gps"]],
  ["Überblick", ["Überblick"]],
  ["two words", ["two words"]],
  ["---", ["---"]],
])("finding E5: names: %s wraps at the borders of its words only", (name, parts) =>
  expect(partsOf(name)).toEqual(parts),
);

describe("finding E5: icons that cannot be shown", () => {
  const ground = () =>
    screen
      .getByText("TR")
      .className.split(" ")
      .find((name) => name.startsWith("bg-tile-"));

  it("become initials on a ground that belongs to the name", () => {
    const { container } = render(<AppIcon url="https://icons.invalid/1.png" name="Tune Radio" size="sm" />);
    expect(screen.queryByText("TR")).not.toBeInTheDocument();
    fireEvent.error(container.querySelector("img")!);
    const first = ground();
    expect(first).toBe(tileOf("Tune Radio"));
    expect(screen.getByText("TR")).not.toHaveAttribute("style");
    cleanup();
    render(<AppIcon url={null} name="Tune Radio" size="sm" />);
    expect(ground()).toBe(first);
    cleanup();
    render(<AppIcon url="http://cdn.example.com/b.png" name="Tune Radio" size="sm" />);
    expect(ground()).toBe(first);
  });

  it("differ between apps, on grounds that there are", () => {
    const grounds = new Set(Array.from({ length: 40 }, (_, index) => tileOf(`App ${index}`)));
    expect(grounds.size).toBe(8);
    const css = readFileSync("app/globals.css", "utf8");
    for (const name of grounds) expect(css).toContain(`--color-${name.replace("bg-", "")}:`);
  });

  it.each([
    ["Tune Radio", "TR"],
    ["podcat", "P"],
    ["ärzte-blatt heute", "ÄB"],
    ["4 Wheels", "4W"],
    ["字典 应用", "字应"],
    ["★", ""],
  ])("%s is %s", (name, initials) => expect(initialsOf(name)).toBe(initials));
});

it("finding E5: JSON that wraps: keeps its indent, and its text", () => {
  const text = '{\n  "keep_context": [\n    "long words"\n  ]\n}';
  const { container } = render(
    <pre>
      <JsonText text={text} />
    </pre>,
  );
  expect(container.textContent).toBe(text);
  const lines = [...container.querySelectorAll("span")];
  expect(lines.map(({ style }) => [style.paddingInlineStart, style.textIndent])).toEqual([
    ["2ch", "-2ch"],
    ["4ch", "-4ch"],
    ["6ch", "-6ch"],
    ["4ch", "-4ch"],
    ["2ch", "-2ch"],
  ]);
});

const show = (total: number, nextHref: string | null = null) => {
  cleanup();
  render(
    <Pagination
      first={1}
      count={Math.min(total, 50)}
      total={total}
      size={50}
      previousHref={null}
      nextHref={nextHref}
    />,
  );
};

it("finding E5: pages of a list: a single page offers no way to others, and no other size where each would show all", () => {
  show(19);
  expect(screen.getByText("1–19").parentElement).toHaveTextContent("1–19 of 19");
  expect(screen.queryByText("Next")).not.toBeInTheDocument();
  expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
  show(26);
  expect(screen.queryByText("Next")).not.toBeInTheDocument();
  expect(screen.getByRole("combobox", { name: "Rows" })).toBeInTheDocument();
  show(1_852, "/list?after=50");
  expect(screen.getByText("1–50").parentElement).toHaveTextContent("1–50 of 1,852");
  expect(screen.getByRole("link", { name: "Next" })).toBeInTheDocument();
});
