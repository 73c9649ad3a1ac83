"one per process";

import "server-only";
import { loadEffects } from "@/lib/apps/applications/console/effects";
import type { RiskSort } from "@/lib/apps/applications/console/console-schema";
import { approvalOf, withStanding } from "@/lib/apps/applications/console/console-rows";
import {
  type ApplicationFilter,
  buildCursor,
  findIds,
  type PageStart,
  type VersionPage,
} from "@/lib/apps/applications/find-versions";
import { outlineColumns } from "@/lib/apps/applications/versions";
import { oncePerRevision, usualKeepMs } from "@/lib/platform/db/once-per-revision";
import { riskOfChange } from "@/lib/policy/effect/rights-by-area";
import { policySnapshot } from "@/lib/policy/status";
import type { RiskKind } from "@/lib/vocabulary/risk";
import { ApplicationModel } from "@/models/application";

/** What approving an app that waits would change in production. */
interface Gain {
  readonly risk: number;
  readonly areas: readonly RiskKind[];
}

/** By the id of the newest version. */
type Gains = ReadonlyMap<number, Gain>;

/** How many apps at a time: what they request is read into memory. */
const batchSize = 500;

const keptGains = oncePerRevision(async (): Promise<Gains> => {
  const waiting = await ApplicationModel.find(
    { isLatest: true, approvalStatus: "PENDING" },
    { uuid: 1, ...outlineColumns },
  ).lean();
  const known = new Map<number, Gain>();
  for (let begin = 0; begin < waiting.length; begin += batchSize) {
    const batch = waiting.slice(begin, begin + batchSize);
    const effects = await loadEffects((await withStanding(batch)).map(approvalOf));
    for (const [at, { _id: id }] of batch.entries()) {
      const { areas, asked } = effects[at] ?? { areas: [], asked: [] };
      const gained = areas.filter(({ kind }) => kind === "gained");
      known.set(id, { risk: riskOfChange(areas, asked.length), areas: gained.map(({ area }) => area) });
    }
  }
  return known;
}, usualKeepMs);

/** Of all apps that wait; null while it is unknown, because no policy is in service. */
export async function findGains(): Promise<Gains | null> {
  const revision = policySnapshot()?.revision;
  return revision === undefined ? null : keptGains.get(revision);
}

/** Apps that wait, and would gain something in an area; none while that is unknown. */
export async function gainingFilter(area: RiskKind): Promise<ApplicationFilter> {
  const found = [...((await findGains()) ?? [])];
  return { _id: { $in: found.flatMap(([id, { areas }]) => (areas.includes(area) ? id : [])) } };
}

/** The ids of the versions that meet a filter, the riskiest first or last; equal ones by id. */
export async function findIdsByRisk(filter: ApplicationFilter, sort: RiskSort, gains: Gains): Promise<number[]> {
  const ids = await findIds(filter, "id");
  return ids.sort((a, b) => compareRisk(sort, at(a, gains), at(b, gains)));
}

interface Place {
  readonly id: number;
  readonly value: number;
}
const at = (id: number, gains: Gains): Place => ({ id, value: gains.get(id)?.risk ?? 0 });
const compareRisk = (sort: RiskSort, a: Place, b: Place) =>
  (sort === "risk" ? a.value - b.value : b.value - a.value) || a.id - b.id;

interface RiskPage {
  readonly sort: RiskSort;
  readonly size: number;
  /** Null: the first page. */
  readonly start: PageStart | null;
  readonly gains: Gains;
}

export async function findRiskPage(
  filter: ApplicationFilter,
  { sort, size, start, gains }: RiskPage,
): Promise<VersionPage> {
  const ids = await findIdsByRisk(filter, sort, gains);
  const edge = start && { id: start.position.id, value: Number(start.position.value) };
  const behind = (id: number, limit: number) => edge !== null && compareRisk(sort, at(id, gains), edge) > limit;
  // Forwards what stands behind the edge, backwards what stands before it.
  const border = edge === null ? 0 : ids.findIndex((id) => behind(id, start?.isBackward ? -1 : 0));
  const end = border < 0 ? ids.length : border;
  const from = start?.isBackward ? Math.max(0, end - size) : end;
  const page = ids.slice(from, start?.isBackward ? end : from + size);
  const cursorAt = (place: number) => {
    const id = ids[place];
    return id === undefined ? null : buildCursor(sort, { ...at(id, gains), offset: place });
  };
  return {
    ids: page,
    offset: from,
    next: from + page.length < ids.length ? cursorAt(from + page.length - 1) : null,
    previous: from > 0 ? cursorAt(from) : null,
  };
}
