import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { JsonViewer } from "@/app/_components/json-viewer/json-viewer";

const value = { groups: { "Base-4": { rpcs: ["Alert", "Speak"] }, Location: { rpcs: [] } }, version: 3 };
// A simulated browser measures nothing, so every line would be out of view.
beforeEach(() => {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(480);
});
const show = (props: Partial<Parameters<typeof JsonViewer>[0]> = {}) => {
  render(<JsonViewer value={value} label="Example" {...props} />);
  return screen.getByRole("tree", { name: "Example" });
};
const lines = () => screen.getAllByRole("treeitem").map((line) => line.textContent);

it("the tree: opens to the given depth and says how much is inside", () => {
  show({ firstDepth: 2 });
  expect(lines()).toEqual([
    "{…} 2 members",
    "groups:{…} 2 members",
    "Base-4:{…} 1 member",
    "Location:{…} 1 member",
    "version:3",
  ]);
});

it("the tree: works with the keyboard alone", async () => {
  const user = userEvent.setup();
  const tree = show();
  tree.focus();
  await user.keyboard("{ArrowDown}{ArrowRight}{ArrowDown}{ArrowRight}");
  expect(lines()).toContain("rpcs:[…] 2 items");
  expect(screen.getByText("groups.Base-4")).toBeInTheDocument();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  expect(lines()).toEqual(["{…} 2 members", "groups:{…} 2 members", "version:3"]);
  const active = tree.getAttribute("aria-activedescendant");
  expect(document.getElementById(active ?? "")).toHaveAttribute("aria-expanded", "false");
});

it("the search: walks through what it finds, opening folded parts", async () => {
  const user = userEvent.setup();
  show();
  await user.type(screen.getByRole("searchbox", { name: "Search names and values" }), "rpcs{Enter}");
  const bar = within(screen.getByRole("search"));
  expect(bar.getByText("1 of 2")).toBeInTheDocument();
  expect(screen.getByText("groups.Base-4.rpcs")).toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(screen.getByText("groups.Location.rpcs")).toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(bar.getByText("1 of 2")).toBeInTheDocument();
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  expect(bar.getByText("2 of 2")).toBeInTheDocument();
});

it("the search: says when there is nothing", async () => {
  const user = userEvent.setup();
  show();
  await user.type(screen.getByRole("searchbox"), "nowhere");
  expect(screen.getByText("Not found")).toBeInTheDocument();
});
