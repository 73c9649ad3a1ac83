import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setBulkStep } from "@/app/(console)/applications/(list)/bulk/bulk-store";
import { sumEffects } from "@/app/(console)/applications/effect-lines";
import type { BulkAppJson } from "@/lib/apps/applications/bulk/answer-schema";
import type { EffectJson, ReviewJson } from "@/lib/apps/applications/console/effect-schema";
import type { Role } from "@/lib/vocabulary/roles";
import { aBulkApp, seen, showList } from "@/test/support/application-list";
import { api, bodies, button, isOff, press } from "@/test/support/page";

const location: EffectJson = {
  areas: [
    { area: "location", kind: "gained", text: "location", short: "location" },
    { area: "vehicle", kind: "gained", text: "speed", short: "speed" },
  ],
  asked: [{ group: "Location-1", prompt: "Location" }],
  rejected: [],
  ...{ groups_gained: ["Location-1"], groups_lost: [] },
};
const aReview = (id: number): ReviewJson => ({
  application: {
    ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, version_id: id, vendor_name: "Harbor", icon_url: null },
    ...{ platform: "ANDROID", blacklisted_ts: null, display_names: [], ...seen },
  },
  versions: [{ id, label: "v2", version_id: id, developer_version: "2", approval_status: "PENDING" }],
  baseline: "v1",
  changes: [{ title: "Permissions", changes: [{ kind: "added", name: "gps at FULL" }] }],
  effect: location,
  groups: ["Location-1"],
  prompts: [{ group: "Location-1", title: "GPS and speed", text: `App ${id} wants to know where you are.` }],
});
const previewed = (id: number): BulkAppJson => aBulkApp(id, { rights: location });

let reviewOf: (id: number) => ReviewJson = aReview;
let waiting: number[] = [];
let release: () => void = () => undefined;
let preview: (id: number) => BulkAppJson = previewed;

beforeEach(() => {
  waiting = [];
  reviewOf = aReview;
  preview = previewed;
  api.answer = ({ path, body }) => {
    const reviewed = Number(/review\?id=(\d+)$/.exec(path)?.[1]);
    if (waiting.includes(reviewed)) {
      return new Promise((resolve) => {
        release = () => resolve({ data: aReview(reviewed) });
      });
    }
    if (reviewed > 0) return { data: reviewOf(reviewed) };
    if (path.endsWith("/preview")) {
      const { uuids } = body as { uuids: string[] };
      return { data: { apps: uuids.map((uuid) => preview(Number(uuid.slice(5)))), excluded: [] } };
    }
    if (!path.endsWith("/bulk")) return { data: {} };
    const { items } = body as { items: { id: number }[] };
    const results = items.map(({ id }) => ({ id, outcome: "done", message: null, findings: [], undo: null }));
    return { data: { results } };
  };
});
afterEach(() => setBulkStep(null));

const show = (count = 3, role: Role = "admin") => showList(count, { role, effect: location });
const keys = (text: string) => userEvent.keyboard(text);
async function panelOf(name: string) {
  const panel = await screen.findByRole("dialog", { name });
  await within(panel).findByRole("heading", { name: "What the driver is asked" });
  return within(panel);
}

it("L31: the list says what an approval changes", () => {
  show(1);
  const cell = screen.getByText("+ location").closest("td");
  for (const chip of ["+ speed", "consent prompt"]) expect(cell).toContainElement(screen.getByText(chip));
});

it("L32: shows what changes, and j and k move on", async () => {
  show();
  await press("Review");
  await panelOf("App 1");
  await keys("j");
  const panel = await panelOf("App 2");
  expect(panel.getByText("2 of 3")).toBeVisible();
  expect(panel.getByText("App 2 wants to know where you are.")).toBeVisible();
  expect(panel.getByText("Location and routes")).toBeVisible();
  expect(panel.getByRole("link", { name: "Location-1" })).toBeVisible();
  expect(panel.getByText("What changed against v1")).toBeVisible();
  expect(panel.getByText("gps at FULL")).toBeVisible();
  await keys("j");
  await panelOf("App 3");
  await keys("jkk");
  await panelOf("App 1");
});

it("L32: approvals are collected and sent together, with what was looked at", async () => {
  show(2);
  await press("Review");
  await panelOf("App 1");
  await keys("1");
  expect((await panelOf("App 2")).getByText(/1 approval to send/)).toBeVisible();
  expect(api.sent).toEqual([]);
  await keys("1");
  const question = await screen.findByRole("alertdialog", { name: "Approve 2 apps for production?" });
  await within(question).findByText("In production: 2 apps gain location, 2 vehicle data; 2 new consent prompts.");
  await keys("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog", { name: "2 apps are approved for production" });
  expect(bodies("/api/v1/ui/applications/bulk")).toEqual([
    { decision: "accept", reason: "", ask: false, items: [1, 2].map((id) => ({ id, seen, force: false })) },
  ]);
});

it("L32: what has changed since it was looked at is left out", async () => {
  preview = (id) => ({ ...previewed(id), ...(id === 1 && { id: 77 }) });
  show(2);
  await press("Review");
  await panelOf("App 1");
  await keys("1");
  await panelOf("App 2");
  await keys("1");
  const question = await screen.findByRole("alertdialog", { name: "Approve 1 app for production?" });
  expect(question).toHaveTextContent("App 1: It has changed since you looked at it.");
  await keys("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog", { name: "1 app is approved for production" });
  expect(bodies("/api/v1/ui/applications/bulk")).toMatchObject([{ items: [{ id: 2 }] }]);
});

it("L32: nothing is decided about an app that is not there yet, and no key waits for it", async () => {
  waiting = [2];
  show(2);
  await press("Review");
  await panelOf("App 1");
  await keys("j");
  await screen.findByRole("dialog", { name: "App 2" });
  await keys("1123");
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  await keys("k");
  await panelOf("App 1");
  release();
  await keys("j");
  await panelOf("App 2");
  expect(api.sent).toEqual([]);
});

it("L32: closing asks about what was collected; Cancel leads back, u takes back", async () => {
  show(3);
  await press("Review");
  await panelOf("App 1");
  await keys("1");
  await panelOf("App 2");
  await keys("{Escape}");
  const question = await screen.findByRole("alertdialog", { name: "Approve 1 app for production?" });
  await userEvent.click(within(question).getByRole("button", { name: "Cancel" }));
  await panelOf("App 2");
  await keys("k");
  const first = await panelOf("App 1");
  expect(first.getByText("Will be approved")).toBeVisible();
  await keys("u");
  expect(first.getByRole("button", { name: "Approve" })).toBeVisible();
  await keys("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(api.sent.filter(({ path }) => !path.endsWith("/preview"))).toEqual([]);
});

it("L32: 2 asks for a reason as the page of an app does, and goes on once it is decided", async () => {
  show(2);
  await press("Review");
  await panelOf("App 1");
  await keys("2");
  const question = await screen.findByRole("alertdialog", { name: "Limit v2 of App 1?" });
  await userEvent.type(within(question).getByLabelText("Reason (optional)"), "1 too many");
  await keys("{Control>}{Enter}{/Control}");
  await panelOf("App 2");
  expect(bodies("/api/v1/applications/action")).toMatchObject([
    { id: 1, approval_status: "LIMITED", denial_message: "1 too many" },
  ]);
  expect(screen.getByText("2 of 2")).toBeVisible();
});

it("L32: who may not approve cannot do so by a key", async () => {
  show(2, "editor");
  await press("Review");
  const panel = await panelOf("App 1");
  await keys("1");
  expect(panel.getByText("1 of 2")).toBeVisible();
  expect(isOff(button("Approve", panel))).toBe(true);
  await keys("3");
  await screen.findByRole("alertdialog", { name: "Block App 1?" });
});

it.each([
  [{}, "Not known: no policy is in service, or the version cannot be read."],
  [{ approval_status: "ACCEPTED" as const }, "Nothing: this version is already approved, or the app is blocked."],
  [{ is_blacklisted: true }, "Nothing: this version is already approved, or the app is blocked."],
])("L32: says why there is no effect: %j", async (members, sentence) => {
  reviewOf = (id) => ({ ...aReview(id), effect: null, application: { ...aReview(id).application, ...members } });
  show(1);
  await press("Review");
  expect((await panelOf("App 1")).getByText(sentence)).toBeVisible();
});

it("L32: the sum counts apps by area, gains before losses", () => {
  const loses: EffectJson = {
    areas: [{ area: "control", kind: "lost", text: "remote control", short: "remote control" }],
    ...{ asked: [], rejected: [], groups_gained: [], groups_lost: [] },
  };
  expect(sumEffects([location, location, loses])).toBe(
    "2 apps gain location, 2 vehicle data; 1 app loses remote control; 2 new consent prompts",
  );
  expect(sumEffects([])).toBe("");
});
