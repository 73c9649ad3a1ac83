import "server-only";
import { labelVersions, outlineColumns, toOutline } from "@/lib/apps/applications/versions";
import type { AuditEventJson } from "@/lib/platform/audit/schema";
import { listTokens } from "@/lib/platform/auth/tokens/queries";
import { recordFamilies, findHeadStates } from "@/lib/platform/db/heads";
import { memberOf } from "@/lib/policy/head-unit/values";
import { namesOf } from "@/lib/vocabulary/members";
import { distinct, groupBy } from "@/lib/vocabulary/order";
import { releaseItems } from "@/lib/vocabulary/release-items";
import { ApplicationModel } from "@/models/application";

type Told = Pick<AuditEventJson, "target" | "after">;

/** By target (`people.md` P13); app names include the version. @throws DatabaseUnavailable */
export async function loadEventNames(events: readonly Told[]): Promise<ReadonlyMap<string, string>> {
  const targets = distinct(events.map(({ target }) => target));
  const names = [loadRecordNames(targets), loadAppNames(events, targets), loadTokenNames(targets)];
  return new Map((await Promise.all(names)).flat());
}

type Named = readonly (readonly [target: string, name: string])[];

const keysOf = (targets: readonly string[], kind: string): readonly string[] =>
  targets.flatMap((target) => (target.startsWith(`${kind}:`) ? target.slice(kind.length + 1) : []));

async function loadRecordNames(targets: readonly string[]): Promise<Named> {
  const found = namesOf(recordFamilies).map(async (family): Promise<Named> => {
    const { targets: kinds, noun } = releaseItems[family];
    const named = kinds.map(async (kind): Promise<Named> => {
      if (recordFamilies[family].keyField === null) return [[kind, noun]];
      const keys = keysOf(targets, kind);
      const heads = keys.length === 0 ? [] : await findHeadStates(family, "staging", { keys });
      return heads.flatMap(({ key, isDeleted }) => (isDeleted ? [] : [[`${kind}:${key}`, key]]));
    });
    return (await Promise.all(named)).flat();
  });
  return (await Promise.all(found)).flat();
}

async function loadAppNames(events: readonly Told[], targets: readonly string[]): Promise<Named> {
  const received = events.map(({ after }) => memberOf(after, "application"));
  const ids = [...keysOf(targets, "application").map(Number), ...received.map(Number)].filter(Number.isSafeInteger);
  const meant = await ApplicationModel.find({ _id: { $in: ids } }, { uuid: 1 }).lean();
  const uuids = distinct([...keysOf(targets, "app"), ...meant.map(({ uuid }) => uuid)]);
  if (uuids.length === 0) return [];
  const stored = await ApplicationModel.find({ uuid: { $in: uuids } }, { uuid: 1, name: 1, ...outlineColumns })
    .sort({ _id: -1 })
    .lean();
  const versionsOf = groupBy(stored, ({ uuid }) => uuid);
  return uuids.flatMap((uuid) => {
    const [newest, ...older] = versionsOf(uuid);
    if (newest === undefined) return [];
    const versions = [newest, ...older];
    const labels = labelVersions(versions.map(toOutline));
    return [
      [`app:${uuid}`, newest.name] as const,
      ...versions.map(({ _id, name }) => [`application:${_id}`, `${name} ${labels.get(_id) ?? ""}`.trim()] as const),
    ];
  });
}

async function loadTokenNames(targets: readonly string[]): Promise<Named> {
  if (keysOf(targets, "token").length === 0) return [];
  return (await listTokens()).map(({ id, name }) => [`token:${id}`, name] as const);
}
