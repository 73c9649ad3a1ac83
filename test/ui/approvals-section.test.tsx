import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { ApprovalsSection } from "@/app/(console)/changes/approvals-section";
import { RequestPage } from "@/app/(console)/changes/request/request-page";
import type { ApprovalJson, ReleaseEffectJson } from "@/lib/releases/answer-schema";
import { api, button, expectLink, isOff, press, pressNext, region, type } from "@/test/support/page";

beforeEach(() => {
  api.answer = () => ({ data: { release: { number: 42 } } });
});

const anApproval = (partial: Partial<ApprovalJson> = {}): ApprovalJson => ({
  ...{ id: 3, path: "/changes?approval=3", kind: "publish", title: "Publish 1 change", name: "Winter" },
  ...{ note: null, force: false, reason: null },
  items: [{ family: "group", key: "Seats", id: 12, title: "Seats" }],
  author: { actor: "publisher", display_name: "Paula", display_name_verified: true },
  ...{ at: null, returned_to: null, asked_at: "2026-02-11T16:20:05.000Z", void_because: null, refusal: null },
  ...{ is_own: false, rejected: null, comments: [], rollout: null },
  ...partial,
});
const none = { before: 9, after: 9 };
const effect: ReleaseEffectJson = {
  ...{
    default_changed: false,
    apps_changed: 2,
    apps_new: 0,
    apps_losing: 0,
    apps_gaining: 0,
    apps_asked: 0,
    bytes: { plain: none, gzip: none },
  },
  ...{ areas: [], apps: [{ uuid: "u-1", name: "Podcat", loss: null, areas: [], rejected: [], prompts: [] }] },
};
const show = (...approvals: ApprovalJson[]) => render(<ApprovalsSection approvals={approvals} />);

it("P9: tells who has asked for what, leads to it, and approves it", async () => {
  show(anApproval());
  const item = screen.getByRole("listitem");
  expect(item.textContent).toContain("Publish 1 change");
  expect(item.textContent).toContain("Paula");
  expectLink("Winter", "/changes?approval=3", within(item));
  await press("Approve…", within(item));
  await pressNext("Approve");
  await waitFor(() => expect(api.sent).toMatchObject([{ method: "POST", path: "/api/v1/releases/approvals/3" }]));
});

it("P9: says that a release is scheduled where it is", async () => {
  show(anApproval({ at: "2026-03-01T08:00:00.000Z" }));
  await press("Approve…");
  expect(await screen.findByRole("alertdialog")).toHaveTextContent(
    "This schedules 1 change, as requested. If one of the items has changed since, nothing happens.",
  );
});

it.each([
  [true, "Requested despite problems head units would report"],
  [false, "Reason"],
])("P9a: a reason stands for problems only where there are any: %s", (force, title) => {
  const approval = anApproval({ force, reason: "The fair begins" });
  render(<RequestPage request={{ approval, items: [], checks: [], effect }} freeze={null} />);
  expect(screen.getByText(title)).toBeVisible();
  expect(screen.getByText("The fair begins")).toBeVisible();
});

it.each([
  { refusal: "You cannot approve your own request" },
  { void_because: "The reviewed items have changed: request approval again" },
])("P8, P9: what must not be approved is off, with the reason: %j", async (members) => {
  show(anApproval(members));
  const approve = button("Approve…");
  expect([isOff(approve), approve.title]).toEqual([true, Object.values(members)[0]]);
  await userEvent.click(approve);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("P9a: somebody else rejects it with a reason, in three clicks", async () => {
  show(anApproval());
  expect(screen.queryByRole("button", { name: "Withdraw…" })).toBeNull();
  await press("Reject…");
  const reject = await screen.findByRole("button", { name: "Reject" });
  expect(reject.getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByRole("textbox", { name: "Reason" })).toHaveAttribute("maxlength", "2000");
  await type("Reason", "Not before winter");
  await userEvent.click(reject);
  const body = { reason: "Not before winter" };
  await waitFor(() => expect(api.sent).toMatchObject([{ path: "/api/v1/releases/approvals/3/reject", body }]));
});

it("P9a: its author withdraws it, and reads why it was rejected", () => {
  const by = { actor: "publisher", display_name: "Peter", display_name_verified: true };
  show(anApproval({ is_own: true, rejected: { by, reason: "Not before winter", at: "2026-02-12T16:20:05.000Z" } }));
  const item = within(screen.getByRole("listitem"));
  expect(item.getByText(/^Rejected by/)).toHaveTextContent("Rejected by Peter(verified): Not before winter");
  expect(item.getByRole("button", { name: "Withdraw…" })).toBeVisible();
  expect(item.queryByRole("button", { name: "Reject…" })).toBeNull();
});

it("P9a: apps are told by their names", () => {
  const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
  const items = [{ family: "app" as const, key: uuid, id: 4, title: "Podcat" }];
  show(anApproval({ kind: "decision", title: "Approve Podcat for production", name: null, items }));
  expect(screen.getByRole("link", { name: "Approve Podcat for production" })).toBeVisible();
  expect(document.body.textContent).not.toContain(uuid);
});

it("P9a: of a decision about an app no checks are told", () => {
  const approval = anApproval({ kind: "decision", title: "Unblock Podcat", name: null });
  render(<RequestPage request={{ approval, items: [], checks: [], effect }} freeze={null} />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Unblock Podcat");
  expect(screen.queryByRole("heading", { name: "Checks" })).toBeNull();
});

it("P9a: the page of a request tells what it changes and does, and what was said of it earlier", () => {
  const field = { path: "rpcs.Alert.hmi_levels", before: ["FULL"], after: ["FULL", "BACKGROUND"] };
  const item = {
    ...{ family: "group" as const, key: "Seats", id: 12, production_id: 4, title: "Seats", change: "change" as const },
    ...{ summary: "+2 RPCs", author: null, at: "2026-02-11T16:20:05.000Z", fields: [field], table_fields: [] },
  };
  const areas = [{ area: "other" as const, kind: "gained" as const, what: "Alert" }];
  const gains = { ...effect, areas: [{ area: "other" as const, gained: 1, lost: 0 }] };
  gains.apps = effect.apps.map((app) => ({ ...app, areas }));
  const approval = anApproval({ comments: [{ by: null, text: "Why now?", at: "2026-02-11T16:20:05.000Z" }] });
  render(<RequestPage request={{ approval, items: [item], checks: [], effect: gains }} freeze={null} />);
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Winter");
  expect(screen.getByRole("link", { name: "Alert" }).parentElement).toHaveTextContent("Alert › HMI levels");
  expect(screen.getByRole("row", { name: /Podcat/ })).toHaveTextContent("Gains Alert");
  expect(within(region("Comments")).getByText("Why now?")).toBeVisible();
});

it("P9: shows nothing where nothing waits", () => {
  show();
  expect(screen.queryByRole("heading")).toBeNull();
});

it("L12: a request to roll back names the apps that stay", () => {
  const approval = anApproval({ kind: "return", returned_to: 2 });
  const kept = [{ uuid: "u-1", name: "Podcat", id: 71 }];
  render(<RequestPage request={{ approval, items: [], checks: [], effect, apps_kept: kept }} freeze={null} />);
  expect(screen.getByText(/^1 app published after release #2 keeps its version in production/)).toBeVisible();
  expectLink("Move back to staging… Podcat", "/applications/71?restore=STAGING");
});
