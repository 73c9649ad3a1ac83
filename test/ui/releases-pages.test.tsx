import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import ReleasePage from "@/app/(console)/releases/[number]/page";
import ReleasesPage from "@/app/(console)/releases/page";
import { Timeline } from "@/app/_releases/timeline";
import type { ItemDiffJson, ReleaseOutlineJson } from "@/lib/releases/answer-schema";
import { type ItemKey, titleOf } from "@/lib/vocabulary/release-items";
import type { StoredRelease } from "@/lib/releases/queries";
import { aRollout } from "@/test/support/console-stubs";
import { router } from "@/test/support/navigation";
import { api, button, expectLink, isOff, press, question, region, showPage, type } from "@/test/support/page";

const author = { actor: "admin", display_name: "Ada", display_name_verified: true };
const anOutline = (number: number, partial: Partial<ReleaseOutlineJson> = {}): ReleaseOutlineJson => ({
  ...{ number, kind: "release", name: `Step ${number}`, note: null, author, revision: number * 10, item_count: 2 },
  at: `2026-02-${String(number).padStart(2, "0")}T16:20:05.000Z`,
  ...partial,
});
const items = [
  { family: "group", key: "Location-1", beforeId: 3, afterId: 9, change: "change", summary: "+2 RPCs" },
  { family: "message", key: "Old", beforeId: 4, afterId: null, change: "delete", summary: "deleted" },
] as const;
const stored: StoredRelease = {
  ...{ _id: 2, kind: "release", name: "Step 2", note: "For summer", revision: 20, returnedTo: null, approvedBy: null },
  author: { actor: "admin", displayName: "Ada", isNameVerified: true },
  at: new Date("2026-02-02T16:20:05.000Z"),
  items: [...items],
  findings: [],
  reason: null,
};
const diff: ItemDiffJson[] = [
  { family: "group", key: "Location-1", change: "change", fields: [{ path: "description", before: "a", after: "b" }] },
];

const noEffect = { apps_changed: 0, apps_new: 0, apps_losing: 0, apps_gaining: 0, apps_asked: 0, areas: [], apps: [] };
const data = vi.hoisted(() => ({
  ...{ diffRelease: vi.fn(), listReleases: vi.fn(), requireRelease: vi.fn() },
  ...{ listScheduled: vi.fn(), loadFreeze: vi.fn(), loadRollout: vi.fn(), findReleaseEffect: vi.fn() },
  loadReleaseFigures: vi.fn(),
}));
vi.mock("@/app/(console)/releases/[number]/queries", () => ({ loadReleaseFigures: data.loadReleaseFigures }));
vi.mock("@/lib/records/publishing/freeze", () => ({ loadFreeze: data.loadFreeze }));
vi.mock("@/lib/releases/rollout/queries", () => ({ loadRollout: data.loadRollout }));
vi.mock("@/lib/releases/schedule/commands", () => ({ listScheduled: data.listScheduled }));
vi.mock("@/lib/releases/items/titles", () => ({
  loadTitles: () =>
    Promise.resolve(({ family, key }: ItemKey) => (family === "app" ? "Podcat" : titleOf({ family, key }))),
}));
vi.mock("@/lib/releases/publish/release-effect", () => ({ findReleaseEffect: data.findReleaseEffect }));
vi.mock("@/lib/releases/items/diff", () => ({ diffRelease: data.diffRelease }));
vi.mock("@/lib/releases/queries", async (original) => ({
  ...(await original<object>()),
  listReleases: data.listReleases,
  requireRelease: data.requireRelease,
}));

const fleetOf = (
  counts: readonly (readonly [release: number | null, count: number])[],
  worsened: readonly object[] = [],
) => {
  const whole = counts.reduce((sum, [, count]) => sum + count, 0);
  const releases = counts.map(([release, count]) => ({ release, count }));
  const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`;
  const adoption = {
    ...{ from: at(2), to: at(4), step: "day", environment: "production", software: null, country: null, share: 0.04 },
    releases: releases.map((one) => ({ ...one, share: one.count / whole })),
    steps: [2, 3].map((day) => ({ at: at(day), releases })),
  };
  return { value: { adoption, worsened } };
};

const setReleases = (releases: readonly ReleaseOutlineJson[], next_cursor: number | null = null) =>
  data.listReleases.mockResolvedValue({ releases, next_cursor });
beforeEach(() => {
  setReleases([anOutline(3), anOutline(2)]);
  data.requireRelease.mockResolvedValue(stored);
  data.diffRelease.mockResolvedValue(diff);
  data.listScheduled.mockResolvedValue([]);
  data.loadReleaseFigures.mockResolvedValue(fleetOf([]));
  data.loadFreeze.mockResolvedValue(null);
  data.loadRollout.mockResolvedValue(null);
  data.findReleaseEffect.mockResolvedValue(noEffect);
});

const showList = (query: Record<string, string> = {}) => showPage(ReleasesPage, "/releases", query);
const showOne = (query: Record<string, string> = {}) =>
  act(() => showPage(ReleasePage, "/releases/2", query, { number: "2" }));
const titles = (picture: HTMLElement) => [...picture.querySelectorAll("title")].map(({ textContent }) => textContent);

describe("L1: the list of releases", () => {
  it("tells each in a row: number, name, kind in words, items, author", async () => {
    setReleases([anOutline(3, { kind: "direct", name: null })], 3);
    await showList();
    const row = within(screen.getByRole("row", { name: /#3/ }));
    expectLink("#3", "/releases/3", row);
    expect(row.getAllByText("Published directly")[0]).toBeInTheDocument();
    expect(row.getByRole("cell", { name: "2" })).toBeVisible();
    expectLink("Older", "/releases?cursor=3");
  });

  it("S13: says how many vehicles have the newest one while it is rolled out", async () => {
    await showList();
    expect(screen.getByRole("row", { name: /#3/ })).toHaveTextContent("In production");
    cleanup();
    data.loadRollout.mockResolvedValue(aRollout({ release: 3, before: 2, percent: 10 }));
    await showList();
    expect(screen.getByRole("row", { name: /#3/ })).toHaveTextContent("10 % of vehicles");
    expect(region(/Rollout of release #3/)).toBeVisible();
  });

  it("is filtered by kind, and says when there is none", async () => {
    setReleases([]);
    await showList({ kind: "return" });
    expect(data.listReleases).toHaveBeenCalledWith(expect.objectContaining({ kind: "return" }));
    expect(screen.getByText("No release of this kind.")).toBeVisible();
  });

  it("is from five on a picture as well, with a mark for each release", async () => {
    setReleases([5, 4, 3, 2].map((number) => anOutline(number)));
    await showList();
    expect(screen.queryByRole("region", { name: "Timeline of releases" })).not.toBeInTheDocument();
    cleanup();
    setReleases([5, 4, 3, 2, 1].map((number) => anOutline(number)));
    await showList();
    const picture = region("Timeline of releases");
    expect(titles(picture)).toEqual([1, 2, 3, 4, 5].map((number) => `#${number} Step ${number}: 2 changes`));
    expect(picture).not.toHaveTextContent("Scheduled");
    // A page has no style attributes, which its Content-Security-Policy forbids.
    expect(picture.querySelector("[style]")).toBeNull();
  });
});

it("S9: a release shows its adoption, and names apps that got worse since", async () => {
  const worsened = [{ uuid: "uuid-1", name: "Podcat", before: 0.2, since: 2.4 }];
  data.loadReleaseFigures.mockResolvedValue(
    fleetOf(
      [
        [3, 30],
        [2, 60],
        [1, 8],
        [null, 2],
      ],
      worsened,
    ),
  );
  await showPage(ReleasePage, "/releases/2", {}, { number: "2" });
  const adoption = within(await screen.findByRole("region", { name: "Adoption" }));
  expect(adoption.getByRole("img")).toHaveAccessibleName(/: Later releases 30 %, #2 60 %, Earlier 8 %, Unknown 2 %\.$/);
  expect(adoption.getByText(/From a sample of 4 %/)).toBeVisible();
  const note = screen.getByRole("note");
  expect(note).toHaveTextContent("head units reject more calls of 1 app");
  expect(note).toHaveTextContent("Podcat: 2.40 rejected calls per report, 0.20 before");
  expectLink("Podcat", "/applications/uuid-1?tab=fleet", within(note));
});

it("S9: without requests, a release says nothing about vehicles", async () => {
  await showPage(ReleasePage, "/releases/2", {}, { number: "2" });
  expect(screen.queryByRole("region", { name: "Adoption" })).not.toBeInTheDocument();
});

it("the timeline begins with a day between its ends, and has hours of one form", () => {
  const release = (number: number, time: string) => anOutline(number, { at: `2026-02-03T${time}:00.000Z` });
  const releases = ["50", "48", "46", "43", "40"].map((minute, at) => release(5 - at, `20:${minute}`));
  const show = (now: string) => render(<Timeline releases={releases} scheduled={[]} now={Date.parse(now)} />);
  show("2026-02-04T20:39:59.000Z");
  expect(screen.queryByRole("figure")).not.toBeInTheDocument();
  show("2026-02-04T20:40:00.000Z");
  const ticks = screen.getAllByText(/\d/, { selector: "text" }).map(({ textContent }) => textContent);
  expect(ticks).toContain("12:00");
  for (const tick of ticks) expect(tick).toMatch(/^(\d\d:\d\d|Wed 04)$/);
});

it("what is to come: L11: names what waits for its time, and cancels it after a question", async () => {
  const waiting = { state: "waiting", at: "2031-01-01T06:00:00.000Z", name: "Winter", note: null, author: null };
  const items = [{ family: "group", key: "Base-4", id: 7 }];
  data.listScheduled.mockResolvedValue([{ id: 5, ...waiting, items, stopped_because: null }]);
  setReleases([5, 4, 3, 2].map((number) => anOutline(number)));
  await showList();
  expect(screen.getByText("Winter")).toBeVisible();
  const picture = region("Timeline of releases");
  expect(titles(picture).at(-1)).toContain("Scheduled: Winter: 1 change");
  await press("Cancel…");
  const dialog = await question();
  await press("Cancel the release", dialog);
  await waitFor(() =>
    expect(api.sent.at(-1)).toMatchObject({ method: "DELETE", path: "/api/v1/releases/scheduled/5" }),
  );
});

it("what is to come: L14: shows a freeze with its reason, and lifts it", async () => {
  const window = { from: "2020-01-01T00:00:00.000Z", to: "2031-01-01T00:00:00.000Z", is_active: true };
  data.loadFreeze.mockResolvedValue({ ...window, reason: "The fair" });
  await showList();
  expect(screen.getByText(/^The fair/)).toBeVisible();
  await press("Lift freeze");
  await waitFor(() =>
    expect(api.sent.at(-1)).toMatchObject({ method: "PUT", path: "/api/v1/releases/freeze", body: { reason: null } }),
  );
});

it("what is to come: L14: a freeze that ends before it begins is refused at its end", async () => {
  await showList();
  await press("Freeze production…");
  const dialog = await question();
  fireEvent.change(dialog.getByLabelText("To"), { target: { value: "2020-01-01T00:00" } });
  expect(dialog.getByLabelText("To")).toHaveAccessibleDescription("The end must be after the start");
  expect(isOff(button("Freeze publishing", dialog))).toBe(true);
});

it("what is to come: L11: what is wrong with a new time stands at its field", async () => {
  const waiting = { state: "waiting", at: "2031-01-01T06:00:00.000Z", name: "Winter", note: null, author: null };
  data.listScheduled.mockResolvedValue([{ id: 5, ...waiting, items: [], stopped_because: null }]);
  await showList();
  await press("Move…");
  const dialog = await question();
  api.answer = () => ({ status: 400, message: "at must be in the future" });
  await press("Move", dialog);
  await waitFor(() => expect(dialog.getByLabelText("Publish at")).toHaveAccessibleDescription(/must be in the future/));
});

describe("L1: one release", () => {
  it("tells what it did, who made it, when and why", async () => {
    await showOne();
    expect(screen.getByText(/ ago, 2026-02-02 \d\d:20:05 \S+$/)).toBeVisible();
    expect(screen.getByRole("heading", { level: 1, name: "Release #2 Step 2" })).toBeVisible();
    expect(screen.getByText("1 changed, 1 removed")).toBeVisible();
    // The sentence stands for what is folded.
    expect(screen.queryByText("+2 RPCs")).not.toBeInTheDocument();
    await userEvent.click(screen.getByText("Location-1"));
    expect(screen.getByText("+2 RPCs")).toBeVisible();
    expect(screen.getByText("For summer")).toBeVisible();
    expect(data.diffRelease).toHaveBeenCalledWith(2, undefined);
  });

  it("has 1,000 changes in pages, folded, and fetches the content of one when it is opened", async () => {
    const many = Array.from({ length: 1000 }, (_, at): ItemDiffJson => ({
      ...{ family: "group", key: `Group-${at}`, change: "add" },
      fields: Array.from({ length: 20 }, (_field, index) => ({
        path: `rpcs.Rpc${index}`,
        before: null,
        after: ["FULL"],
      })),
    }));
    data.diffRelease.mockResolvedValue(many);
    api.answer = () => ({ data: { items: many } });
    await showOne();
    expect(document.querySelectorAll("*").length).toBeLessThanOrEqual(2400);
    expect(screen.queryByText("Rpc0")).not.toBeInTheDocument();
    expect(screen.getByText("1–50").parentElement).toHaveTextContent("1–50 of 1,000");
    expectLink("Next", "/releases/2?after=50");
    await userEvent.click(screen.getByText("Group-7"));
    expect(await screen.findByText("Rpc19")).toBeVisible();
    expect(api.reads).toEqual(["/api/v1/releases/2/diff"]);
  });

  it("L7: tells what it did to apps, and names apps that it published", async () => {
    const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
    data.diffRelease.mockResolvedValue([{ family: "app", key: uuid, change: "add", fields: [] }]);
    data.findReleaseEffect.mockResolvedValue({
      ...{ ...noEffect, apps_changed: 1, apps_losing: 1, areas: [{ area: "location", gained: 0, lost: 1 }] },
      apps: [
        {
          ...{ uuid, name: "Podcat", loss: null, prompts: [], rejected: [] },
          areas: [{ area: "location", kind: "lost", what: "location" }],
        },
      ],
    });
    await showOne();
    expect(await screen.findByText("1 app in production changed. 1 lost permissions.")).toBeVisible();
    expect(screen.getByRole("row", { name: /^Podcat/ })).toHaveTextContent("Loses location");
    // What the app directory knows of a new app is folded.
    expect(screen.queryByRole("link", { name: "Open Podcat" })).toBeNull();
    expect(document.body.textContent).not.toContain(uuid);
    const right = { rpc: "Alert", kind: "lost", levels: ["FULL"], parameters: [] };
    const rights = [{ ...right, builds: ["regular", "external"] }];
    api.answer = () => ({
      data: { uuid, name: "Podcat", groups_gained: [], groups_lost: ["Alerts"], rights, rejected: [], fields: [] },
    });
    await press("Podcat");
    expect(await screen.findByText("− Alerts")).toBeVisible();
    expect(api.reads).toEqual([`/api/v1/releases/2/apps/${uuid}?of=release`]);
  });

  it("L6: names the apps that it was published with findings of; many are listed when they are opened", async () => {
    const lost = { level: "finding", rule: "loses-rights", family: "app" } as const;
    const findings = Array.from({ length: 300 }, (_, at) => ({ ...lost, key: `uuid-${at}`, message: `loses ${at}` }));
    data.requireRelease.mockResolvedValue({ ...stored, findings, reason: "Agreed with sales" });
    await showOne();
    const problems = region("Published despite problems");
    expect(problems).toHaveTextContent("Agreed with sales");
    expect(within(problems).queryByRole("link")).not.toBeInTheDocument();
    await userEvent.click(within(problems).getByText("300 × loses-rights"));
    expect(await within(problems).findAllByRole("link", { name: "Podcat" })).toHaveLength(25);
    await press("Show 100 of 275 more", within(problems));
    expect(within(problems).getAllByRole("link", { name: "Podcat" })).toHaveLength(125);
    expect(problems).toHaveTextContent("loses 124");
  });

  it("is compared with any other, or with an environment", async () => {
    await showOne({ to: "staging" });
    expect(data.diffRelease).toHaveBeenCalledWith(2, "staging");
    expect(screen.queryByText("+2 RPCs")).not.toBeInTheDocument();
  });

  it("L12: that is the newest is taken back by going to the one before it, here and in its row", async () => {
    setReleases([anOutline(2), anOutline(1)]);
    await showOne();
    await press("Roll back to #1…");
    const dialog = await question("Roll back to release #1?");
    expect(dialog.getByText("Production now").parentElement).toHaveTextContent("#2 Step 2");
    expect(dialog.getByText("Afterwards as in").parentElement).toHaveTextContent("#1 Step 1");
    cleanup();
    await showList();
    const row = (name: RegExp) => within(screen.getByRole("row", { name }));
    expect(row(/#2 Step 2/).getByText("In production")).toBeVisible();
    expect(row(/#1 Step 1/).getByText(/^2026-02-01 \d\d:20:05 \S+$/)).toBeVisible();
    expect(row(/#1 Step 1/).getByRole("button", { name: "Roll back to #1…" })).toBeVisible();
    expect(screen.getAllByRole("button", { name: /Roll back/ })).toHaveLength(1);
  });

  it("that is the only one offers no way back", async () => {
    data.requireRelease.mockResolvedValue({ ...stored, _id: 1 });
    setReleases([anOutline(1)]);
    await act(() => showPage(ReleasePage, "/releases/1", {}, { number: "1" }));
    expect(screen.queryByRole("button", { name: /Roll back/ })).not.toBeInTheDocument();
    cleanup();
    await showList();
    expect(screen.queryByRole("button", { name: /Roll back/ })).not.toBeInTheDocument();
  });
});

describe("L12: returning to a release", () => {
  const effect = {
    ...noEffect,
    bytes: { plain: { before: 5, after: 4 }, gzip: { before: 3, after: 3 } },
  };
  const release = {
    ...anOutline(4, { kind: "return" }),
    ...{ items: items.map(({ family, key, change, summary }) => ({ family, key, change, summary })) },
  };

  it("shows what has and what will have production, takes the word, and then does it", async () => {
    api.answer = ({ body }) => ({ data: (body as any).dry_run ? { release, checks: [], effect } : { release } });
    await showOne();
    await press("Roll back to #2…");
    const dialog = await question();
    expect(await dialog.findByText("deleted")).toBeVisible();
    expect(dialog.getByText("Production now").parentElement).toHaveTextContent("#3 Step 3");
    expect(dialog.getByText("Afterwards as in").parentElement).toHaveTextContent("#2 Step 2");
    await type("Type production to go on", "production", dialog);
    await press("Roll back to #2", dialog);
    await vi.waitFor(() => expect(router.push).toHaveBeenCalledExactlyOnceWith("/releases/4"));
    expect(api.sent.map(({ path, body }) => [path, body])).toEqual([
      ["/api/v1/releases/2/return", expect.objectContaining({ dry_run: true })],
      ["/api/v1/releases/2/return", { name: null, note: null }],
    ]);
  });

  it("L7: tells of every app that it changes, and of each in detail", async () => {
    const anApp = (at: number) => ({
      uuid: `app ${at}`,
      name: `App ${at}`,
      loss: null,
      prompts: [],
      rejected: [],
      areas: [],
    });
    const apps = Array.from({ length: 100 }, (_, at) => anApp(at));
    api.answer = ({ path }) => {
      if (path.endsWith("/return"))
        return { data: { release, checks: [], effect: { ...effect, apps_changed: 101, apps } } };
      if (path.includes("from=100")) return { data: { apps_changed: 101, apps: [anApp(100)] } };
      return {
        data: {
          uuid: "app 0",
          name: "App 0",
          groups_gained: ["Seats"],
          groups_lost: [],
          rights: [],
          rejected: [],
          fields: [],
        },
      };
    };
    await showOne();
    await press("Roll back to #2…");
    const dialog = await question();
    await userEvent.click(await dialog.findByRole("button", { name: "App 0" }));
    expect(await dialog.findByText("+ Seats")).toBeVisible();
    await press("Show 90 of 91 more", dialog);
    await press("Show 1 more", dialog);
    expect(await dialog.findByRole("button", { name: "App 100" })).toBeVisible();
    expect(api.reads).toEqual([
      "/api/v1/releases/2/apps/app%200?of=return",
      "/api/v1/releases/2/apps?of=return&from=100",
    ]);
  });

  const podcat = { uuid: "uuid-7", name: "Podcat", id: 71 };
  function expectKept(dialog: Awaited<ReturnType<typeof question>>) {
    expect(dialog.getByText(/^1 app published after release #2 keeps its version in production/)).toBeVisible();
    expectLink("Podcat", "/applications/71", dialog);
    expectLink("Move back to staging… Podcat", "/applications/71?restore=STAGING", dialog);
  }

  it("L4, L12: names the apps that stay, and leads to the decision that takes them back", async () => {
    api.answer = () => ({ data: { release, checks: [], effect, apps_kept: [podcat] } });
    await showOne();
    await press("Roll back to #2…");
    const dialog = await question();
    await dialog.findByText("Decisions about apps stay.");
    expectKept(dialog);
  });

  it("L4, L12: of a release of apps alone says so, and not that production is what it was", async () => {
    api.answer = () => ({ status: 409, message: "Only apps differ", data: { apps_kept: [podcat] } });
    await showOne();
    await press("Roll back to #2…");
    const dialog = await question();
    await dialog.findByText("Decisions about apps stay.");
    expectKept(dialog);
    expect(dialog.queryByText(/already/)).not.toBeInTheDocument();
    expect(isOff(button("Roll back to #2", dialog))).toBe(true);
    expect(dialog.getByText("There is nothing else to roll back")).toBeVisible();
    expect(dialog.queryByLabelText(/Type production/)).not.toBeInTheDocument();
  });

  it("says why it cannot be", async () => {
    api.answer = () => ({ status: 409, message: "Production is already what it was as of release 2" });
    await showOne();
    await press("Roll back to #2…");
    const dialog = await question();
    expect(await dialog.findByText("Production is already what it was as of release 2")).toBeVisible();
    expect(isOff(button("Roll back to #2", dialog))).toBe(true);
  });
});
