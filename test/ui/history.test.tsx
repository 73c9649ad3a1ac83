import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import { EditorTabs } from "@/app/_releases/history/history";
import type { ItemVersionJson } from "@/lib/releases/answer-schema";
import { goTo, router } from "@/test/support/navigation";
import { api, Around, expectLink, press } from "@/test/support/page";

const aVersion = (id: number, partial: Partial<ItemVersionJson> = {}): ItemVersionJson => ({
  ...{ id, status: "STAGING", release: null, is_deleted: false, summary: `change ${id}` },
  ...{ author: { actor: "admin", display_name: "Ada", display_name_verified: false }, at: "2026-02-11T16:20:05.000Z" },
  ...partial,
});
beforeEach(() => {
  api.answer = ({ path }) => {
    if (path.includes("/diff")) {
      return { data: { fields: [{ path: "rpcs.Alert.hmi_levels", before: ["FULL"], after: ["FULL", "LIMITED"] }] } };
    }
    if (path.includes("cursor=3")) return { data: { versions: [aVersion(1)], next_cursor: null } };
    const published = aVersion(5, { status: "PRODUCTION", release: 7 });
    return { data: { versions: [aVersion(9), published, aVersion(3, { is_deleted: true })], next_cursor: 3 } };
  };
});

function show(query = "&tab=history") {
  goTo(`/functionalgroups/manage?name=Location-1${query}`);
  render(
    <Around>
      <SWRConfig value={{ provider: () => new Map() }}>
        <EditorTabs item={{ family: "group", key: "Location-1" }}>
          <p>The form</p>
        </EditorTabs>
      </SWRConfig>
    </Around>,
  );
}
const version = (id: number) => screen.findByRole("button", { name: `change ${id} version ${id}` });

it("L13: lists the versions with author, release and what each changed; the form stays behind it", async () => {
  show();
  const row = within((await version(5)).closest("li")!);
  expect(row.getByText("Ada")).toBeVisible();
  expectLink("Release #7", "/releases/7", row);
  expect(screen.getByText("The form")).not.toBeVisible();
  expect(screen.getByRole("link", { name: "History" })).toHaveAttribute("aria-current", "page");
  await press("Show older versions");
  expect(await version(1)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show older versions" })).not.toBeInTheDocument();
});

it("L13: compares a version with the one before it, or with any other", async () => {
  show();
  await userEvent.click(await version(9));
  expect((await screen.findByRole("link", { name: "Alert" })).parentElement).toHaveTextContent("Alert › HMI levels");
  expect(api.reads.at(-1)).toBe("/api/v1/history/group/Location-1/diff?from=5&to=9");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Compared with" }), "3");
  await vi.waitFor(() => expect(api.reads.at(-1)).toBe("/api/v1/history/group/Location-1/diff?from=3&to=9"));
});

it("L13: stores an older version again, and leads to its review; neither the newest nor a deletion", async () => {
  show();
  await version(9);
  expect(screen.getAllByRole("button", { name: /^Restore/ }).map((one) => one.getAttribute("aria-label"))).toEqual([
    "Restore version 5",
  ]);
  await press("Restore version 5");
  await vi.waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith("/changes?items=group%3ALocation-1"));
  expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/history/group/Location-1/restore", body: { id: 5 } }]);
});

it("L13: is not read before it is asked for", () => {
  show("");
  expect(screen.getByText("The form")).toBeVisible();
  expect(api.reads).toEqual([]);
});
