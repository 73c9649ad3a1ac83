import { productionSide } from "@/lib/releases/review/app-comparison";
import type { TableRisks } from "@/lib/releases/review/risks";
import { itemsOf } from "@/lib/releases/review/production";
import { aCheck, anAppCheck, causeFinder, type ReviewCase } from "@/lib/releases/checks/review-case";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { listPermitChanges } from "@/lib/policy/effect/permit-changes";
import { firstByName, nameOfApp } from "@/lib/policy/effect/effect-summary";
import { onceForEqualApps } from "@/lib/policy/effect/group-effect";
import { permitsOfBuilds } from "@/lib/policy/permits/car";
import { listApps } from "@/lib/policy/snapshot/app-index";
import { fixedEntries, fixedEntryNames } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import { listSome, plural } from "@/lib/vocabulary/format-number";

const maxNames = 5;
const maxApps = 20;

/** Warnings about what apps lose in vehicles through a publication. They never block it. */
export function warnOfLosses(review: ReviewCase, risks: TableRisks, builds: readonly CarBuild[]): ReleaseCheckJson[] {
  return [...warnOfSmallerDefault(review, risks, builds), ...warnOfLostApps(review, risks), ...warnOfNoApps(review)];
}

function warnOfSmallerDefault(review: ReviewCase, risks: TableRisks, builds: readonly CarBuild[]): ReleaseCheckJson[] {
  const permitsIn = (state: PolicySnapshot) => {
    const { cars, everyGroups } = productionSide(state);
    return permitsOfBuilds(cars(), everyGroups);
  };
  const old = permitsIn(review.before);
  const listLost = (state: PolicySnapshot) =>
    listPermitChanges(old, permitsIn(state), builds).flatMap(({ kind, rpc }) => (kind === "lost" ? rpc : []));
  const lost = listLost(review.after);
  if (lost.length === 0) return [];
  const item = causeFinder(review)((state) => listLost(state).some((rpc) => rpc === lost[0]));
  const losers = [...risks.values()].filter(({ rights }) =>
    rights.some(({ kind, rpc }) => kind === "lost" && lost.includes(rpc)),
  ).length;
  const others =
    losers === 0
      ? ""
      : `, and so ${losers === 1 ? "does" : "do"} ${plural(losers, "app")} with permissions of their own`;
  const what = `all or part of ${plural(lost.length, "RPC")} (${listSome(lost, maxNames)})`;
  const message = `Every app without permissions of its own loses ${what}${others}`;
  return [aCheck("warning", "default group shrinks", item, message)];
}

function warnOfLostApps({ contents }: ReviewCase, risks: TableRisks): ReleaseCheckJson[] {
  const [first] = itemsOf(contents);
  return (["all", "own"] as const).flatMap((loss) => {
    const apps = [...risks].flatMap(([app, risk]) => (risk.loss === loss ? app : []));
    const rest = apps.length - maxApps;
    const checks = firstByName(apps, maxApps).map((app) => {
      const what = loss === "all" ? "everything" : "all permissions of its own";
      return anAppCheck(
        "warning",
        "app loses everything",
        app,
        `The app ${JSON.stringify(nameOfApp(app))} loses ${what}`,
      );
    });
    if (rest <= 0 || first === undefined) return checks;
    const what = loss === "all" ? "everything" : "all permissions of their own";
    return [
      ...checks,
      aCheck(
        "warning",
        "app loses everything",
        first,
        `${plural(rest, "more app")} ${rest === 1 ? "loses" : "lose"} ${what}`,
      ),
    ];
  });
}

function warnOfNoApps({ after, contents }: ReviewCase): ReleaseCheckJson[] {
  const fixed = fixedEntryNames.map((name) => fixedEntries[name]);
  const isOfApps = (group: (typeof contents.groups)[number]) => !group.isDeleted && !fixed.some((has) => has(group));
  const unheld = new Set(contents.groups.filter(isOfApps).map(({ name }) => name));
  if (unheld.size === 0) return [];
  const find = onceForEqualApps("production", productionSide(after).findGroups);
  let apps = 0;
  for (const app of listApps(after.apps)) {
    const groups = find(app);
    if (groups === null) continue;
    apps++;
    for (const name of groups) unheld.delete(name);
    if (unheld.size === 0) return [];
  }
  if (apps === 0) return [];
  return [...unheld].map((key) => {
    const message = `No app in production gets the functional group ${JSON.stringify(key)}`;
    return aCheck("warning", "group without apps", { family: "group", key }, message);
  });
}
