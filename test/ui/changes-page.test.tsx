import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Review } from "@/app/(console)/changes/review";
import type { Choice } from "@/app/_releases/item-address";
import { describeAppsEffect } from "@/lib/releases/describe-effect";
import type { ChangedItemJson, ChangesAnswer, FreezeAnswer, ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { aGroupEffect, noEffect, type StubbedAnswer } from "@/test/support/console-stubs";
import { api, Around, bodies, button, checkbox, isOff, press, question, type } from "@/test/support/page";

const anItem = (partial: Partial<ChangedItemJson> = {}): ChangedItemJson => {
  const key = partial.key ?? "Location-1";
  return {
    family: "group",
    key,
    id: 12,
    production_id: 4,
    title: key,
    change: "change",
    summary: "+2 RPCs",
    author: { actor: "admin", display_name: "Ada", display_name_verified: false },
    at: "2026-02-11T16:20:05.000Z",
    fields: [{ path: "rpcs.Alert.hmi_levels", before: ["FULL"], after: ["FULL", "BACKGROUND"] }],
    table_fields: [],
    ...partial,
  };
};
const noApps = { apps_changed: 0, apps_new: 0, apps_losing: 0, apps_gaining: 0, apps_asked: 0 };
const message = anItem({ family: "message", key: "Location", id: 30, change: "add", production_id: null });
const group = anItem();
const removed = anItem({ family: "group", key: "Old-1", id: 15, change: "delete", summary: "deleted" });

it.each([
  [
    { ...noApps, default_changed: true },
    "No app with an entry of its own changes, but every app without an entry of its own.",
  ],
  [
    { ...noApps, apps_changed: 3, apps_gaining: 3, default_changed: true },
    "3 apps with entries of their own change, and so does every app without an entry of its own. 3 gain permissions.",
  ],
  [{ ...noApps, apps_changed: 1, apps_new: 1, apps_gaining: 1, default_changed: false }, "1 app is new in production."],
  [
    { ...noApps, apps_changed: 4, apps_new: 3, apps_gaining: 4, apps_asked: 1, default_changed: false },
    "4 apps in production change, 3 of them new. 4 gain permissions, new consent prompts for 1 app.",
  ],
])("L7: an effect says both numbers, of apps with an entry of their own and of all others: %#", (told, sentence) => {
  expect(describeAppsEffect({ ...told, apps: [], areas: [] })).toBe(sentence);
});

const silent = { rule: "C16" as const, rpcs: ["Alert", "SubtleAlert"], message: "its limit is 0", cure: "raise it" };
const effect: ChangesAnswer["effect"] = {
  ...{ default_changed: false, apps_changed: 2, apps_new: 0, apps_losing: 1, apps_gaining: 1, apps_asked: 1 },
  areas: [
    { area: "location", gained: 0, lost: 1 },
    { area: "other", gained: 1, lost: 0 },
  ],
  apps: [
    {
      ...{ uuid: "u-2", name: "Roadtune", loss: "own", prompts: [], rejected: [] },
      areas: [{ area: "location", kind: "lost", what: "location" }],
    },
    {
      ...{ uuid: "u-1", name: "Podcat", loss: null, prompts: ["VehicleInfo"], rejected: [silent] },
      areas: [{ area: "other", kind: "gained", what: "Alert" }],
    },
  ],
  bytes: { plain: { before: 41_000, after: 41_300 }, gzip: { before: 9000, after: 9000 } },
};
const blocked: ReleaseCheckJson = {
  level: "block",
  rule: "L6",
  family: "group",
  key: "Location-1",
  message: "Location-1 asks with the message Location, which production does not have.",
  remedy: { sentence: "include message Location", family: "message", key: "Location" },
};
const finding: ReleaseCheckJson = { ...blocked, level: "finding", message: "Too many groups.", remedy: null };

let ofAll: ChangesAnswer;
let ofSome: (path: string) => ChangesAnswer;
let published: () => StubbedAnswer;
let contentOf: (path: string) => StubbedAnswer = () => ({ data: { items: [] } });
let byGroup = noEffect;

beforeEach(() => {
  ofAll = { items: [message, group], checks: [], effect };
  ofSome = () => ({ ...ofAll, checks: [] });
  byGroup = noEffect;
  published = () => ({ data: { release: { number: 42 } } });
  api.answer = ({ method, path }) => {
    if (method === "POST") return published();
    if (path.includes("/changes/items")) return contentOf(path);
    if (path.includes("/effect")) return { data: byGroup };
    if (path.includes("/apps?from=")) {
      const from = Number(new URL(path, "http://x").searchParams.get("from"));
      const apps = Array.from({ length: 100 }, (_, at) => ({ name: `App ${from + at}`, uuid: `u-${from + at}` }));
      return { data: { apps: apps.map((one) => ({ ...one, loss: null, areas: [], rejected: [], prompts: [] })) } };
    }
    if (path.includes("/apps/")) {
      const right = { rpc: "Alert", kind: "gained", levels: ["BACKGROUND"], parameters: [] };
      const rights = [{ ...right, builds: ["regular", "external"] }];
      return {
        data: {
          uuid: "u-1",
          name: "Podcat",
          groups_gained: ["Base-4"],
          groups_lost: [],
          rights,
          rejected: [silent],
          fields: [],
        },
      };
    }
    return { data: path.includes("?") ? ofSome(path) : ofAll };
  };
});

const located = [{ item: { family: "group", key: "Location-1" } }] as const;
const show = (choices: readonly Choice[] = [], freeze: FreezeAnswer["freeze"] = null) =>
  render(
    <Around>
      <Review first={ofAll} choices={choices} freeze={freeze} last={null} />
    </Around>,
  );
async function askToPublish() {
  await press(/^Publish \d+ changes?$/);
  return question();
}

it("S11: publishes to some vehicles first, with the usual steps", async () => {
  show();
  const asked = await askToPublish();
  await press("To some vehicles first", asked);
  expect(asked.getByText(/The vehicles of the first step receive the release/)).toBeVisible();
  await press("Publish 2 changes", asked);
  await waitFor(() =>
    expect(bodies("/api/v1/releases")).toMatchObject([
      {
        rollout: {
          steps: [{ percent: 1, hours: 24 }, { percent: 10 }, { percent: 50 }, { percent: 100, hours: null }],
        },
      },
    ]),
  );
});

describe("L5: the review", () => {
  it("reads what differs in an item once it is opened, if the review is too long to contain it", async () => {
    ofAll = { ...ofAll, items: [anItem({ fields: null, table_fields: null })] };
    const { fields } = anItem();
    contentOf = (path) => {
      expect(path).toBe("/api/v1/releases/changes/items?items=group%3ALocation-1");
      return { data: { items: [{ family: "group", key: "Location-1", fields, table_fields: [] }] } };
    };
    show();
    expect(await screen.findByRole("link", { name: "Alert" })).toBeVisible();
  });

  it("lists what is not in production, what others need first, and counts it as a plan", () => {
    ofAll = { ...ofAll, items: [group, message, removed] };
    show();
    const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
    expect(headings.indexOf("Consumer messages")).toBeLessThan(headings.indexOf("Functional groups"));
    expect(screen.getByText(/^1 to add, 1 to change, 1 to remove\./)).toBeVisible();
    const row = within(button("Old-1").closest("li")!);
    expect(row.getByText("Remove")).toBeVisible();
    expect(row.getByText("deleted")).toBeVisible();
    expect(row.getByText("Ada")).toBeVisible();
  });

  it("shows the changes of one item: by field, in the policy table, as JSON", async () => {
    show(located);
    const pane = screen.getByRole("region", { name: "Changes of Location-1" });
    const rpc = within(pane).getByRole("link", { name: "Alert" });
    expect(rpc).toHaveAttribute("href", "/rpcs/Alert");
    expect(rpc.parentElement).toHaveTextContent("Alert › HMI levels");
    expect(within(pane).getByText("added:").parentElement).toHaveTextContent("BACKGROUND");
    await press("Policy table");
    expect(within(pane).getByText("The policy table stays the same.")).toBeVisible();
    await press("JSON");
    const json = await screen.findByRole("region", { name: "Changes of Location-1 as JSON" });
    expect(json).toHaveTextContent(/"rpcs": {.*"Alert": {.*−"hmi_levels": \[.*\+"hmi_levels": \[/);
  });

  it("begins with everything chosen, or with all of a family and records by their ids", () => {
    ofAll = { ...ofAll, items: [message, group, removed] };
    const chosen = () =>
      ["Location", "Location-1", "Old-1"].map((key) => checkbox(`Publish ${key}`).getAttribute("aria-checked"));
    show();
    expect(chosen()).toEqual(["true", "true", "true"]);
    cleanup();
    show([{ family: "message" }, { family: "group", ids: [15] }]);
    expect(chosen()).toEqual(["true", "false", "true"]);
  });

  it("says when production equals staging", () => {
    ofAll = { ...ofAll, items: [] };
    show();
    expect(screen.getByText("Production and staging are the same")).toBeVisible();
    expect(screen.queryByRole("button", { name: /Publish/ })).not.toBeInTheDocument();
  });
});

it("L8: a mark of being viewed belongs to a version, and falls off with the next", async () => {
  show(located);
  await userEvent.click(checkbox("Viewed"));
  expect(within(button("Location-1").closest("li")!).getByText("Viewed")).toBeVisible();
  expect(screen.getByText("1 of 2 viewed")).toBeVisible();
  ofAll = { ...ofAll, items: [message, { ...group, id: 13 }] };
  cleanup();
  show(located);
  expect(checkbox("Viewed")).not.toBeChecked();
});

describe("L6: checks", () => {
  it("are made anew for what is chosen; a block forbids, its remedy takes in what is missing", async () => {
    ofSome = (path) => ({ ...ofAll, checks: path.includes("message") ? [] : [blocked] });
    show(located);
    expect(await screen.findByText(blocked.message)).toBeVisible();
    expect(isOff(button("Publish 1 change"))).toBe(true);
    await press("Include message Location");
    expect(checkbox("Publish Location")).toBeChecked();
    await waitFor(() => expect(isOff(button("Publish 2 changes"))).toBe(false));
    expect(screen.queryByText(blocked.message)).not.toBeInTheDocument();
  });

  it("name their item, which leads to its editor, and the rule", () => {
    ofAll = { ...ofAll, checks: [{ ...finding, rule: "4 app_policies: groups" }] };
    show();
    const checks = within(screen.getByRole("region", { name: "Checks" }));
    const link = checks.getByRole("link", { name: "Location-1" });
    expect(link).toHaveAttribute("href", "/functionalgroups/manage?name=Location-1&environment=staging");
    expect(link.parentElement).toHaveTextContent("Functional group Location-1 · 4 app_policies: groups");
    expect(within(button("Location-1").closest("li")!).getByText("Finding")).toBeVisible();
  });

  it("of one rule stand together, and are mended together", async () => {
    const missing = ["Location", "Other"].map((key) => ({
      ...{ ...blocked, rule: "consent prompt missing", message: `${key} is missing.` },
      remedy: { sentence: `include message ${key}`, family: "message" as const, key },
    }));
    ofSome = (path) => ({ ...ofAll, checks: path.includes("message") ? [] : missing });
    ofAll = { ...ofAll, items: [message, anItem({ family: "message", key: "Other", id: 31 }), group] };
    show(located);
    expect(await screen.findByText("2 × consent prompt missing")).toBeVisible();
    await press("Include 2 changes");
    expect(checkbox("Publish Location")).toBeChecked();
    expect(checkbox("Publish Other")).toBeChecked();
  });

  it("findings take a reason, which goes along with force", async () => {
    ofAll = { ...ofAll, checks: [finding] };
    show();
    const dialog = await askToPublish();
    const confirm = button("Publish 2 changes", dialog);
    expect(isOff(confirm)).toBe(true);
    await type(/^Reason/, "Only new vehicles get it", dialog);
    await userEvent.click(confirm);
    await waitFor(() => expect(bodies()).toMatchObject([{ force: true, reason: "Only new vehicles get it" }]));
  });
});

it("L7: the effect counts the apps, names them, and tells of one on demand", async () => {
  show();
  expect(screen.getByText(/^2 apps in production change\. 1 loses permissions, 1 gains permissions, /)).toBeVisible();
  expect(screen.getByText(/41\.0 kB → 41\.3 kB/)).toBeVisible();
  expect(screen.queryByText(/^9.0 kB/)).toBeNull();
  await press("Podcat");
  expect(await screen.findByText("+ Base-4")).toBeVisible();
  expect(screen.getByText("Gains", { selector: "li > span" }).parentElement).toHaveTextContent(
    "Gains Alert at BACKGROUND",
  );
  expect(screen.getByText("Cars reject Alert, SubtleAlert")).toBeVisible();
});

it("L7: what apps lose, gain and are newly asked stands in areas, with a sign each", () => {
  show();
  const table = within(screen.getByRole("table", { name: "Apps that change" }));
  expect(
    table
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    "RoadtuneLoses all of its own−Loses location",
    "PodcatCars reject 2 calls+Gains Alert?New consent prompts: VehicleInfo",
  ]);
  expect(table.getAllByRole("columnheader").map((head) => head.textContent.trim())).toEqual([
    "App",
    "Location−1",
    "Other+1",
    "Consent prompt?1",
  ]);
});

it("L7: a thousand apps and items stay a page of bounded size, and every app can be reached", async () => {
  const [one] = effect.apps;
  const apps = Array.from({ length: 100 }, (_, at) => ({ ...one!, uuid: `u-${at}`, name: `App ${at}` }));
  const items = Array.from({ length: 1000 }, (_, id) => anItem({ family: "app", key: `u-${id}`, id }));
  ofAll = { items, checks: [], effect: { ...effect, apps_changed: 1000, apps } };
  show();
  expect(document.querySelectorAll("*").length).toBeLessThan(3000);
  await press("Show 90 of 990 more");
  await press("Show 100 of 900 more");
  const table = within(screen.getByRole("table", { name: "Apps that change" }));
  await vi.waitFor(() => expect(table.getAllByRole("row").length).toBe(1 + 200));
  expect(table.getByText("App 199")).toBeVisible();
  expect(button("Show 100 of 800 more")).toBeVisible();
  expect(button("Show 100 of 975 more")).toBeVisible();
});

it("findings E1 and A4: what groups do to apps: is told group by group on demand, with what drivers are asked", async () => {
  byGroup = { ...noEffect, environment: "production", effects: [aGroupEffect()] };
  show();
  await userEvent.click(screen.getByText("By functional group"));
  expect(await screen.findByText("1 app gains Location-1")).toBeVisible();
  expect(screen.getByText("Drivers are asked first: Location")).toBeVisible();
});

it("findings E1 and A4: what groups do to apps: a group that every app loses is typed by its name", async () => {
  byGroup = { ...noEffect, effects: [aGroupEffect({ kind: "lost", is_default: true })] };
  show();
  const dialog = await askToPublish();
  expect(await dialog.findByText("Every app loses what Location-1 allows.")).toBeVisible();
  const confirm = button("Publish 2 changes", dialog);
  expect(isOff(confirm)).toBe(true);
  await type("Type Location-1 to go on", "Location-1", dialog);
  expect(isOff(confirm)).toBe(false);
});

describe("L9: publishing", () => {
  it("names the ids that were seen, in one call", async () => {
    show();
    const dialog = await askToPublish();
    await type(/^Name/, "Navigation", dialog);
    await press("Publish 2 changes", dialog);
    await screen.findByText("Published 2 changes as release #42");
    const items = [
      { family: "message", key: "Location", id: 30 },
      { family: "group", key: "Location-1", id: 12 },
    ];
    const body = { items, name: "Navigation", note: null };
    expect(api.sent).toEqual([{ method: "POST", path: "/api/v1/releases", body }]);
  });

  it.each([
    ["something is removed", [removed]],
    ["more than ten items go", Array.from({ length: 11 }, (_, id) => anItem({ key: `G-${id}`, id }))],
  ])("takes a typed word when %s", async (_, items) => {
    ofAll = { ...ofAll, items };
    show();
    const dialog = await askToPublish();
    const confirm = button(/^Publish \d/, dialog);
    expect(isOff(confirm)).toBe(true);
    await type("Type production to go on", "production", dialog);
    expect(isOff(confirm)).toBe(false);
  });

  it("L11: can wait for a time", async () => {
    show();
    const dialog = await askToPublish();
    await press("Schedule instead", dialog);
    await press("Schedule 2 changes", dialog);
    await waitFor(() =>
      expect(bodies()).toMatchObject([{ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00.000Z$/) }]),
    );
  });

  it("U13: a time that is over is told beside its field", async () => {
    show();
    const dialog = await askToPublish();
    await press("Schedule instead", dialog);
    published = () => ({ status: 400, message: "at must be in the future" });
    await press("Schedule 2 changes", dialog);
    expect(await dialog.findByLabelText("Publish at")).toHaveAccessibleDescription(/The time must be in the future/);
  });

  it("U13: the focus goes to the release when nothing is left to publish", async () => {
    show();
    const dialog = await askToPublish();
    ofAll = { ...ofAll, items: [] };
    await press("Publish 2 changes", dialog);
    await screen.findByText("Published 2 changes as release #42");
    const next = await screen.findByRole("link", { name: /View release|All releases/ });
    await waitFor(() => expect(next).toHaveFocus());
  });

  it("L8: tells what has moved, by whom, and shows it anew", async () => {
    const grace = { actor: "admin", display_name: "Grace", display_name_verified: true };
    published = () => ({
      status: 409,
      message: "Somebody has saved meanwhile",
      data: { moved: [{ family: "group", key: "Location-1", id: 13, at: group.at, author: grace }] },
    });
    show();
    await press("Publish 2 changes");
    ofAll = { ...ofAll, items: [message, { ...group, id: 13, summary: "+3 RPCs" }] };
    await press("Publish 2 changes", await question());
    const told = await screen.findByText("Nothing was published: somebody else has saved changes");
    expect(told.closest("[role=alert]")).toHaveTextContent(/Location-1, by Grace/);
    expect(await screen.findByText("+3 RPCs")).toBeVisible();
    expect(checkbox("Publish Location-1")).toBeChecked();
  });

  it("L14: is off while it is frozen, and says why", () => {
    const days = { from: "2026-12-20T00:00:00.000Z", to: "2027-01-07T00:00:00.000Z" };
    show([], { ...days, reason: "Nobody is here.", is_active: true });
    expect(screen.getByRole("note")).toHaveTextContent(/frozen.*Nobody is here\./);
    expect(isOff(button("Publish 2 changes"))).toBe(true);
  });
});
