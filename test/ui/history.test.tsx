import { configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { mutate, SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConsoleSwr } from "@/app/_components/console-swr";
import { EditorTabs } from "@/app/_releases/history/history";
import type { ItemVersionJson } from "@/lib/content/releases/answer-schema";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
const at = { query: "" };
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  usePathname: () => "/functionalgroups/manage",
  useSearchParams: () => new URLSearchParams(at.query),
}));

const aVersion = (id: number, partial: Partial<ItemVersionJson> = {}): ItemVersionJson => ({
  ...{ id, status: "STAGING", release: null, is_deleted: false, summary: `change ${id}` },
  ...{ author: { actor: "admin", display_name: "Ada", display_name_verified: false }, at: "2026-02-11T16:20:05.000Z" },
  ...partial,
});
let sent: SentRequest[] = [];
let asked: string[] = [];

configure({ asyncUtilTimeout: 30_000 });
beforeEach(() => {
  stubBrowser();
  asked = [];
  at.query = "name=Location-1&tab=history";
  sent = stubApi(({ path, method }) => {
    if (method === "GET") asked.push(path);
    if (path.includes("/diff")) {
      return { data: { fields: [{ path: "rpcs.Alert.hmi_levels", before: ["FULL"], after: ["FULL", "LIMITED"] }] } };
    }
    if (path.includes("cursor=3")) return { data: { versions: [aVersion(1)], next_cursor: null } };
    const versions = [
      aVersion(9),
      aVersion(5, { status: "PRODUCTION", release: 7 }),
      aVersion(3, { is_deleted: true }),
    ];
    return { data: { versions, next_cursor: 3 } };
  });
  for (const spy of Object.values(router)) spy.mockClear();
});
afterEach(() => mutate(() => true, undefined, { revalidate: false }));

const show = () =>
  render(
    <ConsoleSwr>
      <SWRConfig value={{ dedupingInterval: 0, provider: () => new Map() }}>
        <EditorTabs item={{ family: "group", key: "Location-1" }}>
          <p>The form</p>
        </EditorTabs>
      </SWRConfig>
    </ConsoleSwr>,
  );
const version = (id: number) => screen.findByRole("button", { name: `change ${id} version ${id}` });

it("L13: lists the versions with author, release and what each changed; the form stays behind it", async () => {
  show();
  const row = within((await version(5)).closest("li")!);
  expect(row.getByText("Ada")).toBeVisible();
  expect(row.getByRole("link", { name: "Release #7" })).toHaveAttribute("href", "/releases/7");
  expect(screen.getByText("The form")).not.toBeVisible();
  expect(screen.getByRole("link", { name: "History" })).toHaveAttribute("aria-current", "page");
  await userEvent.click(screen.getByRole("button", { name: "Show older versions" }));
  expect(await version(1)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show older versions" })).not.toBeInTheDocument();
});

it("L13: compares a version with the one before it, or with any other", async () => {
  const user = userEvent.setup();
  show();
  await user.click(await version(9));
  expect((await screen.findByRole("link", { name: "Alert" })).parentElement).toHaveTextContent("Alert › HMI levels");
  expect(asked.at(-1)).toBe("/api/v1/history/group/Location-1/diff?from=5&to=9");
  await user.selectOptions(screen.getByRole("combobox", { name: "Compared with" }), "3");
  await vi.waitFor(() => expect(asked.at(-1)).toBe("/api/v1/history/group/Location-1/diff?from=3&to=9"));
});

it("L13: stores an older version again, and leads to its review; neither the newest nor a deletion", async () => {
  const user = userEvent.setup();
  show();
  await version(9);
  expect(screen.getAllByRole("button", { name: /^Restore/ }).map((one) => one.getAttribute("aria-label"))).toEqual([
    "Restore version 5",
  ]);
  await user.click(screen.getByRole("button", { name: "Restore version 5" }));
  await vi.waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith("/changes?items=group%3ALocation-1"));
  expect(sent).toEqual([{ method: "POST", path: "/api/v1/history/group/Location-1/restore", body: { id: 5 } }]);
});

it("L13: is not read before it is asked for", () => {
  at.query = "name=Location-1";
  show();
  expect(screen.getByText("The form")).toBeVisible();
  expect(asked).toEqual([]);
});
