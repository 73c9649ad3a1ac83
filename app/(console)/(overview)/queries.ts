import "server-only";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { loadConsoleList } from "@/lib/apps/applications/console/console-queries";
import { consoleListQuery } from "@/lib/apps/applications/console/console-schema";
import { loadCounters } from "@/app/_console/counters";
import type { OverviewAnswer, StepKind } from "@/app/(console)/(overview)/answer-schema";
import { listWaiting } from "@/app/(console)/(overview)/waiting";
import { listReleases } from "@/lib/releases/queries";
import { allVehicles } from "@/lib/fleet/dimensions";
import { loadApps } from "@/lib/fleet/figures/apps";
import { hasRequests } from "@/lib/fleet/figures/load-values";
import { loadAdoption, loadRequests } from "@/lib/fleet/figures/requests";
import { buildRecentScope } from "@/lib/fleet/figures/scope";
import { loadTitles } from "@/lib/releases/items/titles";
import { listStagedChanges, loadState } from "@/lib/releases/review/changes";
import { listApprovals } from "@/lib/releases/approvals/queries";
import { loadRollout } from "@/lib/releases/rollout/queries";
import { listScheduled } from "@/lib/releases/schedule/commands";
import { itemAddress } from "@/lib/vocabulary/release-items";
import { countEvents } from "@/lib/platform/audit/queries";
import type { Principal } from "@/lib/platform/auth/principal";
import { servedRevision } from "@/lib/platform/process/served";
import { loadSettings } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";
import { policySnapshot, policyStatus } from "@/lib/policy/status";

const dayMs = 86_400_000;
const maxApps = 5;
const maxChanges = 5;
const shownHours = 24;
const maxReleases = 20;
const maxSteps = 3;
const maxRequestedApps = 5;

/**
 * The console's first page (`people.md` P18). `reader`: whose approvals and roles count. @throws DatabaseUnavailable
 */
export async function loadOverview(reader: Principal | null, now: Date): Promise<OverviewAnswer> {
  const [counters, apps, changes, approvals, scheduled, rollout, { releases }, fleet] = await Promise.all([
    loadCounters(reader, now.getTime()),
    loadConsoleList(consoleListQuery.parse({ state: "review", size: "25" })),
    listFirstChanges(),
    listApprovals(reader),
    listScheduled(),
    loadRollout(),
    listReleases({ limit: maxReleases, cursor: undefined, kind: undefined }),
    loadFleetSummary(now.getTime()),
  ]);
  const from = new Date(now.getTime() - dayMs);
  const recent = releases.map((release) => ({ ...release, at: new Date(release.at) })).filter(({ at }) => at >= from);
  const since = await countEvents(from, recent);
  const waiting = await listWaiting({ counters, approvals, scheduled }, now);
  return {
    waiting,
    applications: apps.rows.slice(0, maxApps).map(({ id, name, vendor, version, waitingSince }) => {
      return { id, name, vendor, version, waiting_since: waitingSince };
    }),
    changes,
    since: { from: from.toISOString(), ...since },
    releases,
    scheduled,
    rollout,
    served: findServed(),
    fleet,
    steps: releases.every(({ kind }) => kind === "first") ? listSteps() : [],
  };
}

async function listFirstChanges(): Promise<OverviewAnswer["changes"]> {
  const changes = listStagedChanges(await loadState()).slice(0, maxChanges);
  const titleOf = await loadTitles(changes);
  return changes.map((item) => {
    return { family: item.family, title: titleOf(item), change: item.change, path: itemAddress(item, "staging") };
  });
}

async function loadFleetSummary(now: number): Promise<OverviewAnswer["fleet"]> {
  if (!(await hasRequests(now))) return null;
  const lastDay = { cell: allVehicles, step: "hour" } as const;
  const scope = buildRecentScope({ environment: "production", ...lastDay }, shownHours, now);
  const [requests, staging, adoption, { apps }] = await Promise.all([
    loadRequests(scope),
    loadRequests({ ...scope, environment: "staging" }),
    loadAdoption(scope),
    loadApps(scope, loadAppNames),
  ]);
  const most = apps.slice(0, maxRequestedApps).map(({ uuid, name, count, share }) => ({ uuid, name, count, share }));
  return { requests, staging: staging.total, adoption, apps: most };
}

function findServed(): OverviewAnswer["served"] {
  const [status, snapshot] = [policyStatus(), policySnapshot()];
  if (status === null || snapshot === null) return null;
  return {
    revision: status.revision,
    served_revision: servedRevision(),
    compiled_ts: status.builtAt === null ? null : new Date(status.builtAt).toISOString(),
    applications: status.apps,
    groups: status.groups.production,
  };
}

function listSteps(): StepKind[] {
  const { authType, directory } = loadSettings();
  const steps: (StepKind | false)[] = [
    !requiresSignIn(authType) && "sign_in",
    directory === "off" && "directory",
    ...(["review", "publish", "vehicle"] as const),
  ];
  return steps.filter((step) => step !== false).slice(0, maxSteps);
}
