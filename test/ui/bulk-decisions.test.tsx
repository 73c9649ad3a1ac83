import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setBulkStep } from "@/app/(console)/applications/(list)/bulk/bulk-store";
import type { BulkAppJson, BulkExcludedJson, BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import { aBulkApp, seen, showList } from "@/test/support/application-list";
import type { SentRequest, StubbedAnswer } from "@/test/support/console-stubs";
import { router } from "@/test/support/navigation";
import { api, bodies, button, checkbox, isOff, pressNext, question } from "@/test/support/page";

const accepted = { ...seen, approval_status: "ACCEPTED" } as const;
const done = (id: number): BulkResultJson => {
  return { id, outcome: "done", message: null, findings: [], undo: { id, seen: accepted, target: seen } };
};
const failed = (id: number, message: string): BulkResultJson => {
  return { id, outcome: "failed", message, findings: [], undo: null };
};

let preview: { apps: BulkAppJson[]; excluded: BulkExcludedJson[] };
let outcome: (ids: readonly number[], request: SentRequest) => StubbedAnswer;
const succeed = (ids: readonly number[]) => ({ data: { results: ids.map(done) } });

beforeEach(() => {
  outcome = succeed;
  api.answer = (request) => {
    if (request.path.endsWith("/preview")) return { data: preview };
    if (!request.path.includes("/bulk")) return { data: {} };
    const { items } = request.body as { items: { id: number }[] };
    return outcome(
      items.map(({ id }) => id),
      request,
    );
  };
});
afterEach(() => setBulkStep(null));

function show(count: number, shown: Parameters<typeof showList>[1] = {}) {
  preview = { apps: Array.from({ length: count }, (_, index) => aBulkApp(index + 1)), excluded: [] };
  showList(count, shown);
}
const user = userEvent.setup();
const selectPage = () => user.click(checkbox("Select all rows shown"));
async function askToApprove() {
  await selectPage();
  await pressNext("Approve for production…");
}
async function previewed(name: RegExp) {
  const dialog = await question(name);
  await dialog.findByRole("region", { name: "Effect on each app" });
  return dialog;
}
const bulkPath = "/api/v1/ui/applications/bulk";

it("P8: what an editor may not decide about many apps is off, with the reason", async () => {
  show(2, { role: "editor" });
  await selectPage();
  const reason = "This needs the role publisher; you are an editor.";
  const accept = await screen.findByRole("button", { name: "Approve for production…" });
  expect(accept).toHaveAttribute("aria-disabled", "true");
  expect(accept).toHaveAccessibleDescription(reason);
  expect(screen.getByRole("button", { name: "Move to staging…" })).not.toHaveAttribute("aria-disabled");
  await pressNext("Other decisions");
  expect(await screen.findByRole("menuitem", { name: `Limit…${reason}` })).toHaveAttribute("aria-disabled", "true");
  expect(screen.getByRole("menuitem", { name: "Block…" })).not.toHaveAttribute("aria-disabled", "true");
});

describe("bulk: the effect first", () => {
  it("asks for the chosen apps and shows what happens to each, and which are left out and why", async () => {
    show(3);
    preview.apps.pop();
    preview.apps[1] = aBulkApp(2, { notes: ['My "App": Android phones garble this name'] });
    preview.excluded = [{ uuid: "uuid-3", name: "App 3", reason: "It is accepted already." }];
    await askToApprove();
    const dialog = await previewed(/^Approve 2 apps for production\?$/);
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
    await pressNext("Select all 40 matching");
    await pressNext("Move to staging…");
    await previewed(/^Move 2 apps to staging/);
    expect(bodies(`${bulkPath}/preview`)).toEqual([{ decision: "stage", filter: { state: "all", q: "tune" } }]);
  });

  it("more than ten apps, or rights that leave production: the word production must be typed", async () => {
    show(11);
    await askToApprove();
    const dialog = await previewed(/11 apps/);
    const confirm = dialog.getByRole("button", { name: "Approve 11 apps for production" });
    expect(confirm).toHaveAttribute("aria-disabled", "true");
    await user.type(dialog.getByLabelText("Type production to go on"), "production");
    expect(confirm).not.toHaveAttribute("aria-disabled");
    cleanup();
    setBulkStep(null);
    show(1, { query: { state: "accepted" } });
    preview.apps = [aBulkApp(1, { is_grave: true })];
    await selectPage();
    await pressNext("Block…");
    expect((await previewed(/^Block 1 app\?$/)).getByLabelText("Type production to go on")).toBeVisible();
  });

  it("L32: what changes in staging alone is told of staging, and confirmed and reverted with its word", async () => {
    const rights: BulkAppJson["rights"] = {
      areas: [{ area: "control", kind: "gained", text: "remote control", short: "remote control" }],
      ...{ asked: [], rejected: [], groups_gained: [], groups_lost: [] },
    };
    show(11);
    preview.apps = preview.apps.map((app) => ({ ...app, environment: "staging", rights }));
    await selectPage();
    await pressNext("Move to staging…");
    const dialog = await previewed(/^Move 11 apps to staging\?$/);
    expect(dialog.getByText("In staging: 11 apps gain remote control.")).toBeVisible();
    expect(dialog.getByRole("row", { name: /App 11.*In staging: \+ remote control/ })).toBeVisible();
    expect(dialog.queryByText(/In production/)).not.toBeInTheDocument();
    await user.type(dialog.getByLabelText("Type staging to go on"), "staging");
    await user.click(dialog.getByRole("button", { name: "Move 11 apps to staging" }));
    await pressNext("Undo all…");
    expect((await question("Revert 11 apps?")).getByLabelText("Type staging to go on")).toBeVisible();
  });

  it("L32: one app of many that changes production asks for the word of production", async () => {
    show(11);
    preview.apps = preview.apps.map((app, at) => ({ ...app, environment: at === 0 ? "production" : "staging" }));
    await selectPage();
    await pressNext("Move to staging…");
    expect((await previewed(/^Move 11 apps to staging\?$/)).getByLabelText("Type production to go on")).toBeVisible();
  });

  it("what head units would refuse is left out, unless it is ticked", async () => {
    show(2);
    const finding = { environment: "production" as const, path: "a.b", message: "the list is too long" };
    preview.apps = [aBulkApp(1), aBulkApp(2, { findings: [finding] })];
    await askToApprove();
    const dialog = await previewed(/^Approve 1 app for production/);
    expect(dialog.getByText(/the list is too long/)).toBeVisible();
    await user.click(dialog.getByRole("checkbox", { name: /1 app that head units would refuse/ }));
    await user.type(dialog.getByLabelText("Type production to go on"), "production");
    await user.click(dialog.getByRole("button", { name: "Approve 2 apps for production" }));
    await screen.findByRole("dialog", { name: "2 apps are approved for production" });
    expect(bodies(bulkPath)).toEqual([
      {
        ...{ decision: "accept", reason: "", ask: false },
        items: [
          { id: 1, seen, force: false },
          { id: 2, seen, force: true },
        ],
      },
    ]);
  });

  it("says why it cannot be told, and decides nothing", async () => {
    show(1);
    api.answer = () => ({ status: 400, message: "At most 500 apps can be decided about in one go; these are 501" });
    await askToApprove();
    const dialog = await question();
    expect(await dialog.findByText(/At most 500 apps/)).toBeVisible();
    expect(isOff(button(/^Approve/, dialog))).toBe(true);
    expect(bodies(bulkPath)).toEqual([]);
  });
});

describe("bulk: the result table after", () => {
  async function approve(count: number) {
    show(count);
    await askToApprove();
    const dialog = await previewed(/^Approve/);
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
    expect(screen.queryByRole("button", { name: "Clear selection", hidden: true }), "over").not.toBeInTheDocument();
    preview.apps = [aBulkApp(2)];
    await pressNext("Retry 1 failed…");
    await previewed(/^Approve 1 app /);
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
    expect(rows[1]).toBe("App 11FailedThe server cannot reach its database right now. Try again in a moment.");
    expect(rows[11]).toBe(
      "App 21FailedNot tried: The server cannot reach its database right now. Try again in a moment.",
    );
    expect(rows[16]).toBe("App 1Done");
  });

  it("P9: what needs approval in any part is requested once for all", async () => {
    outcome = (ids, { body }) => {
      const { ask } = body as { ask?: boolean };
      const message =
        ask === false ? "Approval is needed" : "Another person has to approve this first: /changes?approval=7";
      return { data: { results: ids.map((id) => ({ ...failed(id, message), outcome: "asked" })) } };
    };
    const result = await approve(12);
    expect(bodies(bulkPath).map((body: any) => [body.ask, body.items.length])).toEqual([
      [false, 10],
      [false, 2],
      [undefined, 12],
    ]);
    expect(result.getByRole("row", { name: /App 12.*Waits for approval.*approval=7/ })).toBeVisible();
  });

  it("a first request that fails is shown in the question, which stays", async () => {
    outcome = () => ({ status: 503, message: "Service unavailable" });
    show(2);
    await askToApprove();
    const dialog = await previewed(/^Approve/);
    await user.click(dialog.getByRole("button", { name: /^Approve/ }));
    expect(await dialog.findByRole("alert")).toHaveTextContent(
      "The server cannot reach its database right now. Try again in a moment.",
    );
    expect(screen.getByRole("button", { name: "Clear selection", hidden: true })).toBeInTheDocument();
  });

  it("a reason goes with refusals", async () => {
    show(1);
    await selectPage();
    await pressNext("Other decisions");
    await user.click(await screen.findByRole("menuitem", { name: "Limit…" }));
    const dialog = await previewed(/^Limit 1 app\?$/);
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
    await pressNext("Undo all…");
    const dialog = await question("Revert 2 apps?");
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
    await pressNext("Retry 1 failed…");
    expect(await screen.findByRole("alertdialog", { name: "Revert 1 app?" })).toBeVisible();
  });

  it("the way back leads to the list from wherever the reader is", async () => {
    await approve(1);
    await user.click(screen.getByText("Close", { selector: "footer button" }));
    window.history.replaceState(null, "", "/about");
    await pressNext("Undo all…");
    await waitFor(() => expect(router.push).toHaveBeenCalledWith("/applications"));
  });
});
