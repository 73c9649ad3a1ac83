import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApplicationList } from "@/app/(console)/applications/(list)/application-list";
import { BulkHost } from "@/app/(console)/applications/(list)/bulk/bulk-host";
import { setBulkStep } from "@/app/(console)/applications/(list)/bulk/bulk-store";
import { sumEffects } from "@/app/(console)/applications/effect-lines";
import { RoleProvider } from "@/app/_components/shell/role";
import type { BulkAppJson } from "@/lib/apps/applications/bulk/answer-schema";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import type { EffectJson, ReviewJson } from "@/lib/apps/applications/console/effect-schema";
import { get } from "@/lib/platform/http/client";
import type { Role } from "@/lib/labels/roles";
import { type SentRequest, stubApi, stubBrowser } from "@/test/support/console-stubs";

vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: vi.fn(), replace: vi.fn(), refresh: vi.fn() }),
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => "/applications",
}));

const location: EffectJson = {
  areas: [
    { area: "location", kind: "gained", text: "location" },
    { area: "vehicle", kind: "gained", text: "speed" },
  ],
  asked: [{ group: "Location-1", prompt: "Location" }],
  ...{ groups_gained: ["Location-1"], groups_lost: [] },
};
const aRow = (id: number): ConsoleRow => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, vendor: "", iconUrl: null, state: "PENDING", version: "v2" },
  ...{ versionId: id, production: null, staging: null, platform: "ANDROID", category: null, countries: [] },
  ...{ countryCount: 0, updatedAt: "2026-02-11T16:20:05.000Z", waitingSince: "2026-02-11T16:20:05.000Z", flags: [] },
  effect: location,
});
const seen = { approval_status: "PENDING", is_blacklisted: false, denial_message: null } as const;
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
const previewed = (id: number): BulkAppJson => ({
  ...{ id, uuid: `uuid-${id}`, name: `App ${id}`, version: "v2", state: "PENDING", findings: [], notes: [], seen },
  ...{ effect: ["Production begins to serve v2."], is_grave: false, rights: location },
});

let sent: SentRequest[] = [];
let reviewOf: (id: number) => ReviewJson = aReview;
/** Apps whose review does not come before `release`. */
let waiting: number[] = [];
let release: () => void = () => undefined;
let preview: (id: number) => BulkAppJson = previewed;

beforeEach(() => {
  stubBrowser();
  localStorage.clear();
  waiting = [];
  reviewOf = aReview;
  preview = previewed;
  sent = stubApi(({ path, body }) => {
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
  });
});
afterEach(() => {
  setBulkStep(null);
  cleanup();
  vi.unstubAllGlobals();
});

function show(count = 3, role: Role = "admin") {
  render(
    <SWRConfig value={{ fetcher: get, provider: () => new Map() }}>
      <RoleProvider role={role}>
        <ApplicationList
          rows={Array.from({ length: count }, (_, index) => aRow(index + 1))}
          query={consoleListQuery.parse({})}
          choices={{ platforms: [], categories: [] }}
          total={count}
          now={Date.parse("2026-02-12T00:00:00Z")}
          empty={null}
        >
          {null}
        </ApplicationList>
      </RoleProvider>
      <BulkHost />
    </SWRConfig>,
  );
}
const user = userEvent.setup();
const press = (keys: string) => user.keyboard(keys);
/** The panel, once it shows an app. */
async function panelOf(name: string) {
  const panel = await screen.findByRole("dialog", { name });
  await within(panel).findByRole("heading", { name: "What the driver is asked" });
  return within(panel);
}
const bodies = (path: string) => sent.filter((one) => one.path.endsWith(path)).map((one) => one.body);

it("L31: the list says what an approval changes", () => {
  show(1);
  expect(screen.getByText("+ location").closest("td")).toHaveTextContent("+ location, + speed, driver is asked");
});

it("L32: v begins with the row in focus, shows what changes, and j and k move on", async () => {
  show();
  await press("jjv");
  const panel = await panelOf("App 2");
  expect(panel.getByText("2 of 3")).toBeVisible();
  expect(panel.getByText("App 2 wants to know where you are.")).toBeVisible();
  expect(panel.getByText("Location and routes")).toBeVisible();
  expect(panel.getByRole("link", { name: "Location-1" })).toBeVisible();
  expect(panel.getByText("What changed against v1")).toBeVisible();
  expect(panel.getByText("gps at FULL")).toBeVisible();
  await press("j");
  await panelOf("App 3");
  await press("jkk");
  await panelOf("App 1");
});

it("L32: approvals are collected and sent together, with what was looked at", async () => {
  show(2);
  await press("v");
  await panelOf("App 1");
  await press("1");
  const second = await panelOf("App 2");
  expect(second.getByText(/1 approval to send/)).toBeVisible();
  expect(sent).toEqual([]);
  await press("1");
  const question = await screen.findByRole("alertdialog", { name: "Approve 2 apps for production?" });
  await within(question).findByText("In production: 2 apps gain location, 2 vehicle data; 2 new questions to drivers.");
  await press("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog", { name: "2 apps are approved for production" });
  expect(bodies("/bulk")).toEqual([
    { decision: "accept", reason: "", items: [1, 2].map((id) => ({ id, seen, force: false })) },
  ]);
});

it("L32: what has changed since it was looked at is left out", async () => {
  preview = (id) => ({ ...previewed(id), ...(id === 1 && { id: 77 }) });
  show(2);
  await press("v");
  await panelOf("App 1");
  await press("1");
  await panelOf("App 2");
  await press("1");
  const question = await screen.findByRole("alertdialog", { name: "Approve 1 app for production?" });
  expect(question).toHaveTextContent("App 1: It has changed since you looked at it.");
  await press("{Control>}{Enter}{/Control}");
  await screen.findByRole("dialog", { name: "1 app is approved for production" });
  expect(bodies("/bulk")).toMatchObject([{ items: [{ id: 2 }] }]);
});

it("L32: nothing is decided about an app that is not there yet, and no key waits for it", async () => {
  waiting = [2];
  show(2);
  await press("v");
  await panelOf("App 1");
  await press("j");
  await screen.findByRole("dialog", { name: "App 2" });
  await press("1123");
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  await press("k");
  await panelOf("App 1");
  release();
  await press("j");
  await panelOf("App 2");
  expect(sent).toEqual([]);
});

it("L32: closing asks about what was collected; Cancel leads back, u takes back", async () => {
  show(3);
  await press("v");
  await panelOf("App 1");
  await press("1");
  await panelOf("App 2");
  await press("{Escape}");
  const question = await screen.findByRole("alertdialog", { name: "Approve 1 app for production?" });
  await user.click(within(question).getByRole("button", { name: "Cancel" }));
  await panelOf("App 2");
  await press("k");
  const first = await panelOf("App 1");
  expect(first.getByText("Will be approved")).toBeVisible();
  await press("u");
  expect(first.getByRole("button", { name: "Approve" })).toBeVisible();
  await press("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent.filter(({ path }) => !path.endsWith("/preview"))).toEqual([]);
});

it("L32: 2 asks for a reason as the page of an app does, and goes on once it is decided", async () => {
  show(2);
  await press("v");
  await panelOf("App 1");
  await press("2");
  const question = await screen.findByRole("alertdialog", { name: "Limit v2 of App 1?" });
  await user.type(within(question).getByLabelText("Reason (optional)"), "1 too many");
  await press("{Control>}{Enter}{/Control}");
  await panelOf("App 2");
  expect(bodies("/action")).toMatchObject([{ id: 1, approval_status: "LIMITED", denial_message: "1 too many" }]);
  expect(screen.getByText("2 of 2")).toBeVisible();
});

it("L32: who may not approve cannot do so by a key", async () => {
  show(2, "editor");
  await press("v");
  const panel = await panelOf("App 1");
  await press("1");
  expect(panel.getByText("1 of 2")).toBeVisible();
  expect(panel.getByRole("button", { name: "Approve" })).toHaveAttribute("aria-disabled", "true");
  await press("3");
  await screen.findByRole("alertdialog", { name: "Block App 1?" });
});

it.each([
  [{}, "Not known: no policy is in service, or the version cannot be read."],
  [{ approval_status: "ACCEPTED" as const }, "Nothing: this version is already approved, or the app is blocked."],
  [{ is_blacklisted: true }, "Nothing: this version is already approved, or the app is blocked."],
])("L32: says why there is no effect: %j", async (members, sentence) => {
  reviewOf = (id) => ({ ...aReview(id), effect: null, application: { ...aReview(id).application, ...members } });
  show(1);
  await press("v");
  const panel = await panelOf("App 1");
  expect(panel.getByText(sentence)).toBeVisible();
});

it("L32: the sum counts apps by area, gains before losses", () => {
  const loses: EffectJson = {
    areas: [{ area: "control", kind: "lost", text: "remote control" }],
    asked: [],
    ...{ groups_gained: [], groups_lost: [] },
  };
  expect(sumEffects([location, location, loses])).toBe(
    "2 apps gain location, 2 vehicle data; 1 app loses remote control; 2 new questions to drivers",
  );
  expect(sumEffects([])).toBe("");
});
