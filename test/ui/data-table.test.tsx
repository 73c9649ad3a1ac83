import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Button } from "@/app/_components/ui/button";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { DataTable } from "@/app/_components/list/table/data-table";
import { SelectionBar } from "@/app/_components/list/table/selection-bar";
import { TableOptions } from "@/app/_components/list/table/table-options";
import { useSelection } from "@/app/_components/list/table/use-selection";
import { goTo } from "@/test/support/navigation";
import { checkbox, expectLink, pick, press, texts } from "@/test/support/page";

interface Row {
  readonly id: number;
  readonly name: string;
  readonly rpcs: number;
}
const columns: readonly DataColumn<Row>[] = [
  { id: "name", header: "Name", isPrimary: true, sortKey: "name", cell: ({ name }) => name },
  { id: "rpcs", header: "RPCs", sortKey: "rpcs", sortsDownFirst: true, align: "end", cell: ({ rpcs }) => rpcs },
  { id: "id", header: "Id", isOptional: true, cell: ({ id }) => `#${id}` },
];
const withRare: readonly DataColumn<Row>[] = [
  ...columns,
  { id: "rare", header: "Rare", hiddenBelow: "xl", cell: () => "rarely" },
];
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Group ${index + 1}`, rpcs: index }));

const report = vi.fn<(selection: { ids: readonly string[]; isAll: boolean }) => void>();
const chosen = () => report.mock.lastCall?.[0];
interface Shown {
  readonly isSelectable?: (row: Row) => boolean;
  readonly rows?: readonly Row[];
  readonly columns?: typeof columns;
}
function Groups({ rows = rowsOf(4), columns: own = columns, isSelectable }: Shown) {
  const selection = useSelection();
  useEffect(() => report(selection), [selection]);
  return (
    <>
      <TableOptions name="groups" columns={own} />
      <DataTable
        label="Groups"
        name="groups"
        columns={own}
        rows={rows}
        rowId={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => `/functionalgroups/manage?id=${id}`}
        rowActions={({ name }) => [{ label: `Edit ${name}`, href: "/x" }]}
        sort="name"
        {...(isSelectable ? { isSelectable } : {})}
        selection={selection}
        empty={<p>No groups</p>}
      />
      <SelectionBar selection={selection} total={40}>
        <Button>Export</Button>
      </SelectionBar>
    </>
  );
}

beforeEach(() => goTo("/functionalgroups?environment=staging&sort=name&after=x"));

const bar = () => screen.queryByRole("region", { name: "Selected rows" });
const headers = () => texts("columnheader");
const column = async (name: string) => screen.findByRole("menuitemcheckbox", { name });

describe("a table", () => {
  it("has a name, heads and links to its rows, and sorts by links that begin with the first page", () => {
    render(<Groups />);
    expect(within(screen.getByRole("table", { name: "Groups" })).getAllByRole("row")).toHaveLength(5);
    expect(headers()).toEqual(["", "Name", "RPCs", "Actions"]);
    expectLink("Group 2", "/functionalgroups/manage?id=2");
    expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
    expectLink("Name", "/functionalgroups?environment=staging&sort=-name");
    expect(screen.getByRole("columnheader", { name: "RPCs" })).not.toHaveAttribute("aria-sort");
    expectLink("RPCs", "/functionalgroups?environment=staging&sort=-rpcs");
  });

  it("leaves the cells of its rows as they are while rows are selected", async () => {
    const cell = vi.fn(({ name }: Row) => name);
    const counted: typeof columns = [{ id: "name", header: "Name", isPrimary: true, cell }];
    render(<Groups rows={rowsOf(100)} columns={counted} />);
    await userEvent.click(checkbox("Select Group 3"));
    await userEvent.click(checkbox("Select all rows shown"));
    expect(chosen()?.ids).toHaveLength(100);
    expect(cell).toHaveBeenCalledTimes(100);
  });

  it("remembers the columns that were chosen", async () => {
    const { unmount } = render(<Groups />);
    await press("Columns");
    await userEvent.click(await column("Id"));
    await userEvent.click(await column("RPCs"));
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(headers()).toEqual(["", "Name", "Id", "Actions"]));
    unmount();
    render(<Groups />);
    // The menu is fetched by now, but takes its place a moment later.
    await act(() => Promise.resolve());
    expect(headers()).toEqual(["", "Name", "Id", "Actions"]);
    await press("Columns");
    await pick("Reset columns");
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(headers()).toEqual(["", "Name", "RPCs", "Actions"]));
  });

  it("lets a column give way on narrow screens until the reader chooses it", async () => {
    const ask = window.matchMedia.bind(window);
    vi.spyOn(window, "matchMedia").mockImplementation((media) =>
      Object.assign(ask(media), { matches: media.includes("width < 80rem") }),
    );
    const rare = () => screen.getByRole("columnheader", { name: "Rare" });
    const { unmount } = render(<Groups columns={withRare} />);
    expect(rare()).toHaveClass("md:max-xl:hidden");
    await press("Columns");
    const choice = await column("Rare");
    expect(choice).not.toBeChecked();
    await userEvent.click(choice);
    expect(choice).toBeChecked();
    await userEvent.click(await column("Id"));
    await userEvent.keyboard("{Escape}");
    unmount();
    render(<Groups columns={withRare} />);
    expect(rare()).not.toHaveClass("md:max-xl:hidden");
    expect(within(screen.getByRole("table")).getAllByText("rarely")[0]?.closest("td")).not.toHaveClass(
      "md:max-xl:hidden",
    );
    await act(() => Promise.resolve());
    await press("Columns");
    await userEvent.click(await column("Rare"));
    await vi.waitFor(() => expect(headers()).toEqual(["", "Name", "RPCs", "Id", "Actions"]));
  });

  it("has for cards what the head of the table offers: orders, and all rows shown", async () => {
    render(<Groups />);
    await userEvent.click(checkbox("Select all shown"));
    expect(chosen()?.ids).toHaveLength(4);
    expect(checkbox("Select all rows shown")).toBeChecked();
    await press(/^Sort/);
    await screen.findAllByRole("menuitemradio");
    const byColumn = ["Name, ascending", "Name, descending", "RPCs, descending", "RPCs, ascending"];
    expect(texts("menuitemradio")).toEqual(["Default order", ...byColumn]);
  });

  it("keeps only a part of a long list in the page, and tells how long it is", async () => {
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(41);
    render(<Groups rows={rowsOf(1000)} />);
    const table = await screen.findByRole("table", { name: "Groups" });
    await within(table).findByRole("link", { name: "Group 2" });
    expect(table).toHaveAttribute("aria-rowcount", "1001");
    const shown = within(table).getAllByRole("row").length;
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThan(120);
  });
});

describe("selecting", () => {
  it("chooses rows, a range with Shift, and the rows shown", async () => {
    render(<Groups />);
    expect(bar()).not.toBeInTheDocument();
    await userEvent.click(checkbox("Select Group 2"));
    expect(bar()).toHaveTextContent("1 selected");
    const user = userEvent.setup();
    await user.keyboard("{Shift>}");
    await user.click(checkbox("Select Group 4"));
    await user.keyboard("{/Shift}");
    expect(chosen()?.ids).toEqual(["2", "3", "4"]);
    expect(checkbox("Select all rows shown")).toBePartiallyChecked();
    await userEvent.click(checkbox("Select all rows shown"));
    expect(chosen()?.ids).toEqual(["1", "2", "3", "4"]);
    expect(checkbox("Select all rows shown")).toBeChecked();
    await press("Clear selection");
    expect(chosen()?.ids).toEqual([]);
    expect(bar()).not.toBeInTheDocument();
  });

  it("finding E5: offers check boxes only where something can be done with the chosen", async () => {
    const { rerender } = render(<Groups isSelectable={({ id }) => id !== 2} />);
    expect(screen.getAllByRole("checkbox", { name: /^Select Group/ })).toHaveLength(3);
    expect(screen.queryByRole("checkbox", { name: "Select Group 2" })).not.toBeInTheDocument();
    await userEvent.click(checkbox("Select all rows shown"));
    expect(chosen()?.ids).toEqual(["1", "3", "4"]);
    expect(checkbox("Select all rows shown")).toBeChecked();
    await userEvent.click(checkbox("Select all rows shown"));
    await userEvent.click(checkbox("Select Group 1"));
    await userEvent.keyboard("{Shift>}");
    await userEvent.click(checkbox("Select Group 3"));
    await userEvent.keyboard("{/Shift}");
    expect(chosen()?.ids).not.toContain("2");
    rerender(<Groups isSelectable={() => false} />);
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("every matching row is a second step of its own", async () => {
    render(<Groups />);
    await userEvent.click(checkbox("Select all rows shown"));
    await press("Select all 40 matching");
    expect(chosen()?.isAll).toBe(true);
    expect(bar()).toHaveTextContent("All 40 selected");
    await userEvent.click(checkbox("Select Group 3"));
    expect(chosen()).toMatchObject({ isAll: false, ids: ["1", "2", "4"] });
  });

  it("survives paging", async () => {
    const { rerender } = render(<Groups />);
    await userEvent.click(checkbox("Select Group 2"));
    rerender(<Groups rows={[{ id: 50, name: "Group 50", rpcs: 1 }]} />);
    expect(bar()).toHaveTextContent("1 selected");
    await userEvent.click(checkbox("Select Group 50"));
    rerender(<Groups />);
    expect(checkbox("Select Group 2")).toBeChecked();
    expect(chosen()?.ids).toEqual(["2", "50"]);
  });
});
