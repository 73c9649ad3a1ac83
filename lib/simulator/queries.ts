import "server-only";
import { labelVersions, outlineColumns, toOutline } from "@/lib/applications/versions";
import { rawCollection } from "@/lib/db/raw";
import { requireDatabase } from "@/lib/db/connection/connect";
import { AppError } from "@/lib/errors";
import { findServices } from "@/lib/policy/services";
import { appVersionProjection, toAppVersion } from "@/lib/policy/snapshot/app-documents";
import { Interner } from "@/lib/policy/snapshot/interner";
import { whenFollowed } from "@/lib/policy/status";
import { entryVersion } from "@/lib/policy/table/app-policies";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { appVersionDocument } from "@/lib/policy/table/snapshot";
import type { AppFacts, FindFacts } from "@/lib/simulator/decision";
import type { OtherVersion } from "@/lib/simulator/subject";
import { prepareView, type SimulatorView } from "@/lib/simulator/view";
import type { Environment } from "@/lib/words/vocabulary";
import { ApplicationModel } from "@/models/application";

/** What is served in an environment, and what it was compiled from. */
export interface ServedState {
  readonly policy: CompiledPolicy;
  readonly view: SimulatorView;
}

/**
 * The policy in service, with everything that this process has written before, and its snapshot.
 *
 * @throws AppError 503 while there is none
 */
export async function requireState(environment: Environment): Promise<ServedState> {
  await whenFollowed();
  const runtime = findServices()?.runtime;
  // Read together: they are put in service together.
  const [policy, snapshot] = [runtime?.policy(environment), runtime?.snapshot];
  if (!policy || !snapshot) throw new AppError("unavailable");
  return { policy, view: prepareView(snapshot, environment) };
}

/**
 * Loads what people call some apps and their versions, with one query.
 *
 * @param uuids in any case
 * @throws DatabaseUnavailable
 */
export async function loadFacts(uuids: Iterable<string>): Promise<FindFacts> {
  const keys = [...new Set([...uuids].map((uuid) => uuid.toLowerCase()))];
  if (keys.length === 0) return () => null;
  await requireDatabase();
  const columns = { uuidKey: 1, name: 1, ...outlineColumns } as const;
  const found = await ApplicationModel.find({ uuidKey: { $in: keys } }, columns)
    .sort({ _id: -1 })
    .lean();
  const byKey = new Map<string, (typeof found)[number][]>();
  for (const version of found) {
    const known = byKey.get(version.uuidKey);
    if (known === undefined) byKey.set(version.uuidKey, [version]);
    else known.push(version);
  }
  const facts = new Map([...byKey].map(([key, stored]) => [key, toFacts(stored)]));
  return (uuid) => facts.get(uuid.toLowerCase()) ?? null;
}

/** @param stored newest first, at least one */
function toFacts(stored: readonly (Parameters<typeof toOutline>[0] & { readonly name: string })[]): AppFacts {
  const outlines = stored.map(toOutline);
  const labels = labelVersions(outlines);
  return {
    name: stored[0]?.name ?? "",
    versions: outlines.map(({ id, approvalStatus }) => ({ id, label: labels.get(id) ?? "", approvalStatus })),
  };
}

/** A question is answered otherwise by one of the newest versions: nobody accepts the fifth-newest one. */
const mostOthers = 4;

/**
 * Loads the newest versions of an app, as entries would be built from them; one that no entry can be made from is left out.
 *
 * @throws DatabaseUnavailable
 */
export async function loadOtherVersions(facts: AppFacts | null): Promise<OtherVersion[]> {
  const newer = (facts?.versions ?? []).slice(0, mostOthers);
  if (newer.length === 0) return [];
  const documents = await rawCollection(ApplicationModel)
    .find({ _id: { $in: newer.map(({ id }) => id) } }, { projection: appVersionProjection })
    .sort({ _id: -1 })
    .toArray();
  const interner = new Interner();
  return documents.flatMap((document): OtherVersion[] => {
    const parsed = appVersionDocument.safeParse(document);
    if (!parsed.success) return [];
    const version = entryVersion(toAppVersion(parsed.data, interner));
    return [{ version, label: newer.find(({ id }) => id === version.id)?.label ?? "" }];
  });
}
