import { cleanup, render, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import OverviewPage from "@/app/(console)/(overview)/page";
import { WaitingList } from "@/app/(console)/(overview)/waiting-list";
import { type OverviewAnswer, waitingKinds } from "@/app/(console)/(overview)/answer-schema";
import type { AnsweredFigures } from "@/lib/fleet/figures/answer-schema";
import { expectLink, region, showPage } from "@/test/support/page";

const loadOverview = vi.hoisted(() => vi.fn());
vi.mock("@/app/(console)/(overview)/queries", () => ({ loadOverview }));
vi.mock("@/app/(console)/activity/queries", () => ({
  loadEventNames: () => Promise.resolve(new Map([["application:41", "Pigeonpost v3.9.0"]])),
}));

const author = { actor: "admin", display_name: "Ada", display_name_verified: true };
const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const release: OverviewAnswer["releases"][number] = {
  ...{ number: 12, kind: "release", name: "Winter", note: null, author, at: hourAgo(1), revision: 41, item_count: 3 },
};
type Kind = OverviewAnswer["since"]["kinds"][number];
const anEvent = (id: number, partial: Partial<Kind["event"]> = {}) => ({
  ...{ id, created_ts: hourAgo(id), revision: id, actor: "admin", person_id: null, display_name: "Ada" },
  ...{ display_name_verified: true, route: "r", request_id: null, action: "groups.save", target: "group:Base-4" },
  ...{ before: null, after: null },
  ...partial,
});
const hours = [hourAgo(1), hourAgo(0)];
const scope: Omit<AnsweredFigures, "total" | "steps"> = {
  ...{ from: hourAgo(1), to: hourAgo(0), step: "hour", environment: "production", software: null, country: null },
  share: 0.04,
};
const overview: OverviewAnswer = {
  waiting: [
    { kind: "stopped_releases", count: 1, needs: "publish", path: "/releases#scheduled", detail: "Base-4 has changed" },
    { kind: "applications", count: 7, needs: "edit", path: "/applications?state=review", detail: null },
  ],
  applications: [{ id: 9, name: "Podcat", vendor: "Podcat Collective", version: "v2.0.0", waiting_since: hourAgo(50) }],
  changes: [{ family: "group", title: "Base-4", change: "delete", path: "/functionalgroups/manage?name=Base-4" }],
  since: { from: hourAgo(24), kinds: [], has_more: false },
  releases: [release],
  scheduled: [],
  rollout: null,
  served: {
    ...{ revision: 41, served_revision: 40, compiled_ts: hourAgo(1), applications: 12, groups: 30 },
  },
  fleet: {
    requests: {
      ...scope,
      total: { table: 1_200, repaired: 0, refused: null },
      steps: hours.map((at) => ({ at, table: 600, repaired: 0, refused: null })),
    },
    staging: { table: 15, repaired: 0, refused: 0 },
    adoption: {
      ...scope,
      releases: [
        { release: 12, count: 900, share: 0.75 },
        { release: null, count: 300, share: 0.25 },
      ],
      steps: hours.map((at) => ({ at, releases: [{ release: 12, count: 450 }] })),
    },
    apps: [{ uuid: "uuid-1", name: "Pigeonpost", count: 600, share: 0.5 }],
  },
  steps: [],
};

const show = (partial: Partial<OverviewAnswer> = {}) => {
  loadOverview.mockResolvedValue({ ...overview, ...partial });
  return showPage(OverviewPage, "/");
};
const part = (name: string) => within(region(name));

it("P18: what waits leads to where it is dealt with, an app to review to its own page", async () => {
  const changes = { kind: "changes", count: 1, needs: "publish", path: "/changes", detail: null } as const;
  await show({ waiting: [...overview.waiting, changes] });
  const waiting = part("Waiting for you");
  expect(waiting.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["Urgent: 1 scheduled release was stopped", "/releases#scheduled"],
    ["To do: 7 apps to review", "/applications?state=review"],
    ["Podcat v2.0.0", "/applications/9"],
    ["To do: 1 change not in production", "/changes"],
    ["Base-4", "/functionalgroups/manage?name=Base-4"],
  ]);
  expect(waiting.getByText("Remove")).toBeVisible();
  expect(waiting.getByText("Base-4 has changed")).toBeVisible();
});

it("S7: shows requests, releases and apps of the last 24 hours, each with a sentence and a link", async () => {
  await show();
  const fleet = part("Fleet in the last 24 hours");
  expect(fleet.getByText("1,200").parentElement).toHaveTextContent(
    "1,200 policy tables · fewer than 10 refused · 15 in staging",
  );
  expect(fleet.getAllByRole("img").map((one) => one.getAttribute("aria-label"))).toEqual([
    "Requests in 24 hours: 1,200 policy tables, fewer than 10 refused, 15 in staging.",
    "Requests by the release that the vehicle had: #12 75 %, Unknown 25 %.",
  ]);
  expect(fleet.getByText(/from a sample of 4 %\./)).toBeVisible();
  expectLink("Requests in 24 hours", "/fleet?range=24h#requests", fleet);
  expectLink("Releases in vehicles", "/fleet?range=30d#adoption", fleet);
  expectLink("Most requested apps", "/fleet?range=24h#apps", fleet);
  expectLink("#12", "/releases/12", fleet);
  expectLink("Pigeonpost", "/applications/uuid-1?tab=fleet", fleet);
});

it("P18: says what vehicles get, and which revision they still have", async () => {
  await show();
  const policy = part("Policy in production");
  expect(policy.getByText("Policy revision").nextElementSibling).toHaveTextContent("41");
  expect(policy.getByText("Served by vehicle workers").nextElementSibling).toHaveTextContent("revision 40");
});

it("S7: without a vehicle there are no charts; a new server shows its next steps instead", async () => {
  await show({ fleet: null });
  expectLink("Connect vehicles", "/fleet", part("Fleet"));
  cleanup();
  await show({ fleet: null, steps: ["review", "publish", "vehicle"] });
  expect(screen.queryByRole("region", { name: /Fleet/ })).not.toBeInTheDocument();
  expect(screen.queryByRole("img")).not.toBeInTheDocument();
});

it("P18: names the release in production with its author and time, and the way back", async () => {
  await show({ fleet: null, releases: [release, { ...release, number: 11, name: "Autumn" }] });
  const production = part("In production");
  expectLink("#12 Winter", "/releases/12", production);
  expect(production.getByText(/^3 changes by/)).toHaveTextContent(/by Ada.*, 1 hour ago, \d{4}-\d\d-\d\d/);
  expect(production.getByRole("button", { name: "Roll back to #11…" })).toBeVisible();
  expectLink("#11 Autumn", "/releases/11", production);
});

it("P18: a release is one line of news, and so are many acts of one kind", async () => {
  const kinds: Kind[] = [
    { event: anEvent(1.5, { action: "token.make", target: "token:7", after: { name: "Pipeline" } }), count: 1 },
    { event: anEvent(3), count: 1_501 },
    {
      event: anEvent(5, { display_name: "Eddie", target: "application:41", action: "applications.action" }),
      count: 1,
    },
  ];
  await show({ since: { ...overview.since, kinds } });
  const lines = part("Since yesterday").getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Ada.*published #12 Winter \(3 changes\)/),
    expect.stringMatching(/Ada.*created the token Pipeline/),
    expect.stringMatching(/Ada.*Base-4 \(and 1,500 more\)/),
    expect.stringMatching(/Eddie.*Pigeonpost v3.9.0 /),
  ]);
  // The group is gone by now.
  const hrefs = lines.map((line) =>
    within(line)
      .queryAllByRole("link")
      .map((one) => one.getAttribute("href")),
  );
  expect(hrefs).toEqual([["/releases/12"], [], [], ["/applications/41"]]);
});

it("P18: does not call it a quiet day because of many sign-ins; first data are no news", async () => {
  await show({ since: { ...overview.since, has_more: true }, releases: [{ ...release, kind: "first" as const }] });
  const news = part("Since yesterday");
  expect(news.getByText("The newest events are sign-ins.")).toBeVisible();
  expect(news.queryByRole("listitem")).not.toBeInTheDocument();
});

it("P18: says that a release rolled production back", async () => {
  await show({ releases: [{ ...release, kind: "return", name: null }] });
  expect(part("Since yesterday").getByText("rolled back with #12 (3 changes)")).toBeVisible();
});

it("P18: a new server shows the next steps, and nothing about production without a release", async () => {
  await show({ steps: ["review", "publish", "vehicle"], releases: [], waiting: [], served: null });
  const steps = part("Next steps");
  expect(steps.getAllByRole("listitem")).toHaveLength(3);
  expectLink("Review the first app", "/applications", steps);
  expect(screen.getByText("Nothing waits for you")).toBeVisible();
  expect(screen.getByText("Nothing has changed in the last 24 hours.")).toBeVisible();
  expect(screen.queryByRole("region", { name: "In production" })).not.toBeInTheDocument();
});

it("P8, P18: whoever may do nothing about it is told what it needs; every kind has a sentence", () => {
  const waiting = waitingKinds.map((kind) => {
    return { kind, count: 2, needs: "publish", path: `/${kind}`, detail: null } as const;
  });
  render(<WaitingList waiting={waiting} applications={[]} changes={[]} role="editor" />);
  const rows = screen.getAllByRole("link");
  expect(rows.map((row) => row.getAttribute("href"))).toEqual(waiting.map(({ path }) => path));
  for (const row of rows) expect(row).toHaveTextContent(/^(Urgent|To do|Waiting): [A-Z\d]/);
  expect(screen.getAllByText("Needs publisher")).toHaveLength(waiting.length);
});
