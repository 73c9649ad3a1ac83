import { expect, it } from "vitest";
import { directionOf } from "@/lib/releases/widening";
import type { SnapshotApp, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import { carBuilds } from "@/lib/vocabulary/head-units";
import {
  aBaseGroup,
  aCatalogue,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpc,
  aSnapshot,
  inBothViews,
} from "@/test/support/builders";

/* The direction of a change of production (`gate.md` W4), read from the table of `head-unit-rules.md` 17. */

const uuid = "11111111-aaaa-4bbb-8ccc-000000000001";
const types = (...names: readonly string[]) => ({ categories: names.map((name, id) => ({ id, name })) });
const appOf = (version: Parameters<typeof anAppVersion>[0] | null): SnapshotApp =>
  anApp({ uuid, accepted: version === null ? null : anAppVersion({ displayNames: ["Roadtune"], ...version }) });
const withApp = (app: SnapshotApp, config: Partial<SnapshotModuleConfig> = {}) =>
  aSnapshot({
    groups: inBothViews(aBaseGroup()),
    moduleConfigs: inBothViews(aModuleConfig(config)),
    apps: aCatalogue([app]),
  });
const judge = (before: ReturnType<typeof withApp>, after: ReturnType<typeof withApp>) =>
  directionOf(before, after, carBuilds, () => Promise.resolve());

it.each([
  ["the type REMOTE_CONTROL", types("MEDIA"), types("MEDIA", "REMOTE_CONTROL"), "wider", "narrower"],
  ["a type that only tells where to show the app", types("MEDIA"), types("MEDIA", "SOCIAL"), "other", "other"],
  ["a nickname", {}, { displayNames: ["Roadtune", "Roadtune 2"] }, "wider", "narrower"],
  ["a nickname instead of any", { displayNames: [] }, {}, "narrower", "wider"],
  ["an icon", {}, { iconUrl: "https://a.example/i.png" }, "other", "other"],
  ["an entry of its own instead of default (a limit, backwards)", null, types("MEDIA"), "wider", "narrower"],
])("W4: %s", async (_, one, other, there, back) => {
  const [first, second] = [withApp(appOf(one)), withApp(appOf(other))];
  expect([await judge(first, second), await judge(second, first)]).toEqual([there, back]);
});

it("W4: two apps with the same groups are judged by their own names", async () => {
  const others = { uuid: "22222222-aaaa-4bbb-8ccc-000000000002" };
  const pair = (names: readonly string[]) =>
    aSnapshot({
      groups: inBothViews(aBaseGroup()),
      moduleConfigs: inBothViews(aModuleConfig()),
      apps: aCatalogue([
        appOf(types("MEDIA")),
        anApp({ ...others, accepted: anAppVersion({ ...types("MEDIA"), displayNames: [...names] }) }),
      ]),
    });
  expect(await judge(pair(["Other"]), pair(["Other", "Third"]))).toBe("wider");
});

it.each(["notificationsPerMinute", "subtleNotificationsPerMinute"] as const)(
  "W9: a higher limit in %s is wider, a lower one not",
  async (name) => {
    const app = appOf({});
    const base = aModuleConfig();
    const raised = withApp(app, { id: 2, [name]: { ...base[name], NONE: base[name].NONE + 1 } });
    const before = withApp(app);
    expect([await judge(before, raised), await judge(raised, before)]).toEqual(["wider", "other"]);
  },
);

it("W9, C16: a lower priority with a higher limit is wider where groups permit alerts in the background", async () => {
  const counts = { ...aModuleConfig().notificationsPerMinute, NAVIGATION: 0, NORMAL: 4 };
  const state = (priority: SnapshotApp["priority"], name: string) =>
    aSnapshot({
      groups: inBothViews(aBaseGroup({ rpcs: [anRpc({ name, levels: ["BACKGROUND"] })] })),
      moduleConfigs: inBothViews(aModuleConfig({ notificationsPerMinute: counts })),
      apps: aCatalogue([{ ...appOf({}), priority }]),
    });
  expect(await judge(state("NAVIGATION", "Alert"), state("NORMAL", "Alert"))).toBe("wider");
  expect(await judge(state("NAVIGATION", "Show"), state("NORMAL", "Show"))).toBe("narrower");
});

it("W4, C21: a limit is narrower: on default, an app registers with the types that it has", async () => {
  const state = (app: SnapshotApp) =>
    aSnapshot({
      groups: inBothViews(aBaseGroup({ rpcs: [anRpc({ name: "OnTouchEvent" })] })),
      apps: aCatalogue([app]),
    });
  const [own, limited] = [state(appOf(types("MEDIA"))), state(appOf(null))];
  expect([await judge(own, limited), await judge(limited, own)]).toEqual(["narrower", "wider"]);
});
