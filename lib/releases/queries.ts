import "server-only";
import type { ClientSession } from "mongoose";
import { z } from "zod";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
import type { ReleaseJson, ReleasesAnswer } from "@/lib/releases/answer-schema";
import type { ReleasesQuery } from "@/lib/releases/schema";
import type { Author } from "@/lib/platform/db/transaction";
import { itemChanges, itemFamilies, releaseKinds } from "@/lib/vocabulary/release-items";
import { ReleaseModel } from "@/models/release";

const author = z.object({ actor: z.string(), displayName: z.string().nullable(), isNameVerified: z.boolean() });
const text = z.string().nullable();
const outlineMembers = {
  _id: z.int(),
  kind: z.enum(releaseKinds),
  name: text,
  note: text,
  author: author.nullable(),
  at: z.date(),
  revision: z.int(),
};
const recordId = z.int().nullable();
const itemKey = { family: z.enum(itemFamilies), key: z.string() };
const releaseDocument = z.object({
  ...outlineMembers,
  items: z.array(
    z.object({
      ...itemKey,
      beforeId: recordId,
      afterId: recordId,
      change: z.enum(itemChanges),
      summary: z.string(),
    }),
  ),
  findings: z.array(z.custom<ReleaseJson["findings"][number]>((value) => typeof value === "object" && value !== null)),
  reason: text,
  returnedTo: z.int().nullable(),
  // Releases written by earlier versions lack it.
  approvedBy: author.nullable().default(null),
});
export type StoredRelease = z.output<typeof releaseDocument>;

/** The list reads only as much of the items as it needs to count them. */
const outlineDocument = z.object({ ...outlineMembers, items: z.array(z.unknown()) });
const outlineProjection = {
  ...Object.fromEntries(Object.keys(outlineMembers).map((name) => [name, 1])),
  "items.family": 1,
};

export async function listReleases({ limit, cursor, kind }: ReleasesQuery): Promise<ReleasesAnswer> {
  await requireDatabase();
  const filter = { ...(kind !== undefined && { kind }), ...(cursor !== undefined && { _id: { $lt: cursor } }) };
  const found = await rawCollection(ReleaseModel)
    .find(filter, { projection: outlineProjection })
    .sort({ _id: -1 })
    // One more than requested shows whether there is a next page.
    .limit(limit + 1)
    .toArray();
  const releases = found.slice(0, limit).map((document) => toOutlineJson(outlineDocument.parse(document)));
  return { releases, next_cursor: found.length > limit ? (releases.at(-1)?.number ?? null) : null };
}

/** Finds one release, optionally inside a transaction; AppError 404 if the number does not exist. */
export async function requireRelease(number: number, session?: ClientSession): Promise<StoredRelease> {
  await requireDatabase();
  const options = session === undefined ? {} : { session };
  const document = await rawCollection(ReleaseModel).findOne({ _id: number }, options);
  if (document === null) throw new AppError("notFound", `There is no release ${number}`);
  return releaseDocument.parse(document);
}

/** The releases after `after` up to and including `upTo`, oldest first. */
export async function loadReleases(after: number, upTo: number): Promise<readonly StoredRelease[]> {
  await requireDatabase();
  const found = rawCollection(ReleaseModel).find({ _id: { $gt: after, $lte: upTo } });
  return (await found.sort({ _id: 1 }).toArray()).map((document) => releaseDocument.parse(document));
}

const { name, at } = outlineMembers;
const releaseItems = z
  .object({ _id: z.int(), name, at, items: z.array(z.object({ ...itemKey, beforeId: recordId, afterId: recordId })) })
  .transform(({ _id: number, ...members }) => ({ number, ...members }));
export type ReleaseItems = z.output<typeof releaseItems>;
const itemsProjection = {
  ...{ name: 1, at: 1, "items.family": 1, "items.key": 1 },
  ...{ "items.beforeId": 1, "items.afterId": 1 },
};

export async function listReleaseItems(max: number): Promise<readonly ReleaseItems[]> {
  await requireDatabase();
  const found = rawCollection(ReleaseModel).find({}, { projection: itemsProjection });
  return (await found.sort({ _id: -1 }).limit(max).toArray()).map((document) => releaseItems.parse(document));
}

/** The number of the newest release, 0 if there is none. */
export async function findNewestRelease(): Promise<number> {
  await requireDatabase();
  const [newest] = await rawCollection(ReleaseModel)
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  return newest?._id ?? 0;
}

export async function findReleasesOfApp(uuid: string): Promise<Map<number, number>> {
  const found = await rawCollection(ReleaseModel)
    .find({ "items.key": uuid }, { sort: { _id: 1 } })
    .toArray();
  const releases = found.map((document) => releaseDocument.parse(document));
  return new Map(
    releases.flatMap(({ _id, items }) =>
      items.flatMap(({ family, key, afterId }): [number, number][] =>
        family === "app" && key === uuid && afterId !== null ? [[afterId, _id]] : [],
      ),
    ),
  );
}

type StoredAuthor = Pick<Author, "actor"> & { readonly [Name in keyof Author]?: Author[Name] | null };

export function toAuthor({ actor, displayName, isNameVerified }: StoredAuthor): Author {
  return { actor, displayName: displayName ?? null, isNameVerified: isNameVerified ?? false };
}

export function toAuthorJson(stored: StoredAuthor | null) {
  if (stored === null) return null;
  const { actor, displayName, isNameVerified } = toAuthor(stored);
  return { actor, display_name: displayName, display_name_verified: isNameVerified };
}

function toOutlineJson({ _id, name, note, kind, at, revision, items, ...rest }: z.output<typeof outlineDocument>) {
  const outline = { number: _id, kind, name, note, author: toAuthorJson(rest.author), at: at.toISOString(), revision };
  return { ...outline, item_count: items.length };
}

export function toReleaseJson(release: StoredRelease): ReleaseJson {
  const items = release.items.map(({ beforeId, afterId, family, key, change, summary }) => {
    return { family, key, before_id: beforeId, after_id: afterId, change, summary };
  });
  const { findings, reason, returnedTo, approvedBy } = release;
  const approved_by = toAuthorJson(approvedBy);
  return { ...toOutlineJson(release), items, findings, reason, returned_to: returnedTo, approved_by };
}
