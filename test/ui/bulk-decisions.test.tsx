import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApplicationList } from "@/app/(console)/applications/(list)/application-list";
import { BulkHost } from "@/app/(console)/applications/(list)/bulk/bulk-host";
import { setBulkStep } from "@/app/(console)/applications/(list)/bulk/bulk-store";
import { RoleProvider } from "@/app/_components/shell/role";
import { Toaster } from "@/app/_components/shell/toaster";
import type { BulkAppJson, BulkExcludedJson, BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import { get } from "@/lib/platform/http/client";
import type { Role } from "@/lib/labels/roles";
import { type SentRequest, stubApi, stubBrowser, type StubbedAnswer } from "@/test/support/console-stubs";

const router = { push: vi.fn(), replace: vi.fn(), refresh: vi.fn() };
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => router,
  useSearchParams: () => new URLSearchParams(window.location.search),
  usePathname: () => "/applications",
}));

const aRow = (id: number): ConsoleRow => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, vendor: "", iconUrl: null, state: "PENDING", version: "v2" },
  ...{ versionId: id, production: null, staging: null, platform: "ANDROID", category: null, countries: [] },
  ...{ countryCount: 0, updatedAt: "2026-02-11T16:20:05.000Z", waitingSince: "2026-02-11T16:20:05.000Z", flags: [] },
  effect: null,
});
const seen = { approval_status: "PENDING", is_blacklisted: false, denial_message: null } as const;
const accepted = { ...seen, approval_status: "ACCEPTED" } as const;
const anApp = (id: number, values: Partial<BulkAppJson> = {}): BulkAppJson => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, version: "v2", state: "PENDING", findings: [], notes: [], seen },
  ...{ effect: [`Production begins to serve ${id}.`], is_grave: false, rights: null },
  ...values,
});
const done = (id: number): BulkResultJson => {
  return { id, outcome: "done", message: null, findings: [], undo: { id, seen: accepted, target: seen } };
};
const failed = (id: number, message: string): BulkResultJson => {
  return { id, outcome: "failed", message, findings: [], undo: null };
};

let sent: SentRequest[] = [];
let preview: { apps: BulkAppJson[]; excluded: BulkExcludedJson[] };
/** What becomes of the items of a request. */
let outcome: (ids: readonly number[], request: SentRequest) => StubbedAnswer;
const succeed = (ids: readonly number[]) => ({ data: { results: ids.map(done) } });

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  outcome = succeed;
  sent = stubApi((request) => {
    if (request.path.endsWith("/preview")) return { data: preview };
    if (!request.path.includes("/bulk")) return { data: {} };
    const { items } = request.body as { items: { id: number }[] };
    return outcome(
      items.map(({ id }) => id),
      request,
    );
  });
});
afterEach(() => {
  setBulkStep(null);
  cleanup();
  vi.unstubAllGlobals();
});

interface Shown {
  readonly query?: Record<string, string>;
  readonly total?: number;
  readonly role?: Role;
}

function show(count: number, { query = {}, total = count, role = "admin" }: Shown = {}) {
  window.history.replaceState(null, "", `/applications?${new URLSearchParams(query).toString()}`);
  preview = { apps: Array.from({ length: count }, (_, index) => anApp(index + 1)), excluded: [] };
  render(
    <SWRConfig value={{ fetcher: get, provider: () => new Map() }}>
      <RoleProvider role={role}>
        <ApplicationList
          rows={preview.apps.map(({ id }) => aRow(id))}
          query={consoleListQuery.parse(query)}
          choices={{ platforms: [], categories: [] }}
          total={total}
          now={Date.parse("2026-02-12T00:00:00Z")}
          empty={null}
        >
          {null}
        </ApplicationList>
      </RoleProvider>
      <BulkHost />
      <Toaster />
    </SWRConfig>,
  );
}
const user = userEvent.setup();
const selectPage = () => user.click(screen.getByRole("checkbox", { name: "Select all rows shown" }));
const press = async (name: string | RegExp) => user.click(await screen.findByRole("button", { name }));
/** The dialog, once the effect is there. */
async function question(name: RegExp) {
  const dialog = await screen.findByRole("alertdialog", { name });
  await within(dialog).findByRole("region", { name: "Effect on each app" });
  return within(dialog);
}
const bodies = (path: string) => sent.filter((one) => one.path === path).map((one) => one.body);
const bulkPath = "/api/v1/ui/applications/bulk";

it("P8: what an editor may not decide about many apps is off, with the reason", async () => {
  show(2, { role: "editor" });
  await selectPage();
  const reason = "This needs the role publisher; you are an editor.";
  const accept = await screen.findByRole("button", { name: "Approve for production…" });
  expect(accept).toHaveAttribute("aria-disabled", "true");
  expect(accept).toHaveAccessibleDescription(reason);
  expect(screen.getByRole("button", { name: "Move to staging…" })).not.toHaveAttribute("aria-disabled");
  await press("Other decisions");
  expect(await screen.findByRole("menuitem", { name: `Limit…${reason}` })).toHaveAttribute("aria-disabled", "true");
  expect(screen.getByRole("menuitem", { name: "Block…" })).not.toHaveAttribute("aria-disabled", "true");
});

describe("bulk: the effect first", () => {
  it("asks for the chosen apps and shows what happens to each, and which are left out and why", async () => {
    show(3);
    preview.apps.pop();
    preview.apps[1] = anApp(2, { notes: ['My "App": Android phones garble this name'] });
    preview.excluded = [{ uuid: "uuid-3", name: "App 3", reason: "It is accepted already." }];
    await selectPage();
    await press("Approve for production…");
    const dialog = await question(/^Approve 2 apps for production\?$/);
    expect(bodies(`${bulkPath}/preview`)).toEqual([{ decision: "accept", uuids: ["uuid-1", "uuid-2", "uuid-3"] }]);
    expect(dialog.getByRole("row", { name: /App 2.*Production begins to serve 2\./ })).toBeVisible();
    // Q5: it stops nothing, the app is among those decided about.
    expect(dialog.getByText('My "App": Android phones garble this name')).toBeVisible();
    expect(dialog.getByText("1 app is left out")).toBeVisible();
    expect(dialog.getByText("It is accepted already.")).toBeVisible();
    expect(dialog.getByText("Each decision is reported to the app directory.")).toBeVisible();
    expect(dialog.queryByLabelText(/to go on/)).not.toBeInTheDocument();
    expect(bodies(bulkPath), "nothing is decided before it is confirmed").toEqual([]);
  });

  it("all matching: the server resolves the filters of the address, without its page", async () => {
    show(2, { query: { state: "all", q: "tune", size: "25", after: "X" }, total: 40 });
    await selectPage();
    await press("Select all 40 matching");
    await press("Move to staging…");
    await question(/^Move 2 apps to staging/);
    expect(bodies(`${bulkPath}/preview`)).toEqual([{ decision: "stage", filter: { state: "all", q: "tune" } }]);
  });

  it("more than ten apps, or rights that leave production: the word production must be typed", async () => {
    show(11);
    await selectPage();
    await press("Approve for production…");
    const dialog = await question(/11 apps/);
    const confirm = dialog.getByRole("button", { name: "Approve 11 apps for production" });
    expect(confirm).toHaveAttribute("aria-disabled", "true");
    await user.type(dialog.getByLabelText("Type production to go on"), "production");
    expect(confirm).not.toHaveAttribute("aria-disabled");
    cleanup();
    setBulkStep(null);
    show(1, { query: { state: "accepted" } });
    preview.apps = [anApp(1, { is_grave: true })];
    await selectPage();
    await press("Block…");
    expect((await question(/^Block 1 app\?$/)).getByLabelText("Type production to go on")).toBeVisible();
  });

  it("what head units would refuse is left out, unless it is ticked", async () => {
    show(2);
    const finding = { environment: "production" as const, path: "a.b", message: "the list is too long" };
    preview.apps = [anApp(1), anApp(2, { findings: [finding] })];
    await selectPage();
    await press("Approve for production…");
    const dialog = await question(/^Approve 1 app for production/);
    expect(dialog.getByText(/the list is too long/)).toBeVisible();
    await user.click(dialog.getByRole("checkbox", { name: /1 app that head units would refuse/ }));
    await user.type(dialog.getByLabelText("Type production to go on"), "production");
    await user.click(dialog.getByRole("button", { name: "Approve 2 apps for production" }));
    await screen.findByRole("dialog", { name: "2 apps are approved for production" });
    expect(bodies(bulkPath)).toEqual([
      {
        ...{ decision: "accept", reason: "" },
        items: [
          { id: 1, seen, force: false },
          { id: 2, seen, force: true },
        ],
      },
    ]);
  });

  it("says why it cannot be told, and decides nothing", async () => {
    show(1);
    const answers = sent;
    sent = stubApi(() => ({ status: 400, message: "At most 500 apps can be decided about in one go; these are 501" }));
    await selectPage();
    await press("Approve for production…");
    const dialog = await screen.findByRole("alertdialog");
    expect(await within(dialog).findByText(/At most 500 apps/)).toBeVisible();
    expect(within(dialog).getByRole("button", { name: /^Approve/ })).toHaveAttribute("aria-disabled", "true");
    expect(answers).toEqual([]);
  });
});

describe("bulk: the result table after", () => {
  async function approve(count: number) {
    show(count);
    await selectPage();
    await press("Approve for production…");
    const dialog = await question(/^Approve/);
    const typed = dialog.queryByLabelText("Type production to go on");
    if (typed) await user.type(typed, "production");
    await user.click(dialog.getByRole("button", { name: /^Approve/ }));
    return within(await screen.findByRole("dialog"));
  }

  it("failures first, with the reason; retries the failed ones only", async () => {
    outcome = (ids) => ({
      data: { results: ids.map((id) => (id === 2 ? failed(id, "Somebody has changed it meanwhile.") : done(id))) },
    });
    const result = await approve(3);
    expect(result.getByRole("heading", { name: "1 of 3 failed" })).toBeVisible();
    expect(result.getByText("2 apps are approved for production.")).toBeVisible();
    expect(result.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "AppResult",
      "App 2FailedSomebody has changed it meanwhile.",
      "App 1Done",
      "App 3Done",
    ]);
    expect(router.refresh).toHaveBeenCalled();
    expect(screen.queryByRole("group", { name: "Selected rows", hidden: true }), "over").not.toBeInTheDocument();
    preview.apps = [anApp(2)];
    await press("Retry 1 failed…");
    await question(/^Approve 1 app /);
    expect(bodies(`${bulkPath}/preview`).at(-1)).toEqual({ decision: "accept", uuids: ["uuid-2"] });
  });

  it("goes in parts; what a lost part may have done is not told as done, and the rest is not tried", async () => {
    outcome = (ids, request) =>
      bodies(bulkPath).length === 2 && request.path === bulkPath
        ? { status: 503, message: "Service unavailable" }
        : succeed(ids);
    const result = await approve(25);
    expect(bodies(bulkPath)).toHaveLength(2);
    expect(result.getByRole("heading", { name: "15 of 25 failed" })).toBeVisible();
    const rows = result.getAllByRole("row").map((row) => row.textContent);
    expect(rows[1]).toBe("App 11FailedService unavailable");
    expect(rows[11]).toBe("App 21FailedNot tried: Service unavailable");
    expect(rows[16]).toBe("App 1Done");
  });

  it("a first request that fails is shown in the question, which stays", async () => {
    outcome = () => ({ status: 503, message: "Service unavailable" });
    show(2);
    await selectPage();
    await press("Approve for production…");
    const dialog = await question(/^Approve/);
    await user.click(dialog.getByRole("button", { name: /^Approve/ }));
    expect(await dialog.findByRole("alert")).toHaveTextContent("Service unavailable");
    expect(screen.getByRole("group", { name: "Selected rows", hidden: true })).toBeInTheDocument();
  });

  it("a reason goes with refusals", async () => {
    show(1);
    await selectPage();
    await press("Other decisions");
    await user.click(await screen.findByRole("menuitem", { name: "Limit…" }));
    const dialog = await question(/^Limit 1 app\?$/);
    await user.type(dialog.getByLabelText("Reason (optional)"), "Too loud");
    await user.click(dialog.getByRole("button", { name: "Limit 1 app" }));
    await screen.findByRole("dialog", { name: "1 app is limited" });
    expect(bodies(bulkPath)).toMatchObject([{ decision: "limit", reason: "Too loud" }]);
  });

  it("undo of the whole bulk: asks, puts back what was done, and tells what somebody has changed since", async () => {
    outcome = (ids, { path }) =>
      path === bulkPath
        ? { data: { results: ids.map((id) => (id === 2 ? failed(id, "No") : done(id))) } }
        : { data: { results: ids.map((id) => (id === 1 ? done(id) : failed(id, "It is limited now."))) } };
    await approve(3);
    await user.click(screen.getByText("Close", { selector: "footer button" }));
    // From the message that stays.
    await press("Undo all…");
    const dialog = within(await screen.findByRole("alertdialog", { name: "Revert 2 apps?" }));
    expect(dialog.getByRole("row", { name: "App 3 pending" })).toBeVisible();
    await user.click(dialog.getByRole("button", { name: "Revert 2 apps" }));
    const result = within(await screen.findByRole("dialog", { name: "1 of 2 failed" }));
    expect(bodies(`${bulkPath}/undo`)).toEqual([
      {
        items: [
          { id: 1, seen: accepted, target: seen },
          { id: 3, seen: accepted, target: seen },
        ],
      },
    ]);
    expect(result.getByRole("row", { name: /App 3.*It is limited now\./ })).toBeVisible();
    expect(result.queryByRole("button", { name: "Undo all…" })).not.toBeInTheDocument();
    await press("Retry 1 failed…");
    expect(await screen.findByRole("alertdialog", { name: "Revert 1 app?" })).toBeVisible();
  });

  it("the way back leads to the list from wherever the reader is", async () => {
    await approve(1);
    await user.click(screen.getByText("Close", { selector: "footer button" }));
    window.history.replaceState(null, "", "/about");
    await press("Undo all…");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/applications"));
  });
});
