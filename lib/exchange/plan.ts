import "server-only";
import { createHash } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { loadAppItems } from "@/lib/apps/items/app-items";
import { loadItems } from "@/lib/exchange/families";
import { canonical } from "@/lib/records/store/file-form";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { recordItems } from "@/lib/records/families";
import type { ReleasePlan } from "@/lib/releases/publish/schema";
import { listStagedChanges, listViewRecords, loadState, type StagedChange } from "@/lib/releases/review/changes";
import { namesOf } from "@/lib/vocabulary/members";
import { itemFamilies, type ItemKey, itemText, nameItem, type ReviewedItem } from "@/lib/vocabulary/release-items";

/** From the items' staged state in a transaction (`gate.md` W10). */
export async function planImport(
  items: readonly ItemKey[],
  state: PolicySnapshot,
  { session }: Transaction,
): Promise<ReleasePlan> {
  const wanted = new Set(items.map(itemText));
  const changes = listStagedChanges(state).filter((change) => wanted.has(itemText(change)));
  const contents = await loadContents(changes, session);
  const planned = changes.map(describing(state, contents));
  return { items: planned, digest: digestOf(planned) };
}

/** `gate.md` W10. Throws AppError 400 for a modified plan, 409 for an empty one or changed items (`data.moved`). */
export async function findPlanned({ items, digest }: ReleasePlan): Promise<readonly ReviewedItem[]> {
  if (digest !== digestOf(items)) throw new AppError("invalid", "plan is not as it was made: its digest differs");
  if (items.length === 0) throw new AppError("conflict", "Nothing to publish: the plan names nothing");
  const state = await loadState();
  const changes = new Map(listStagedChanges(state).map((change) => [itemText(change), change]));
  const staged = items.flatMap((item) => changes.get(itemText(item)) ?? []);
  const contents = await loadContents(staged);
  const describe = describing(state, contents);
  const found = items.map((planned) => {
    const change = changes.get(itemText(planned));
    const now = change === undefined ? null : describe(change);
    return { planned, change, isSame: now?.from === planned.from && now.to === planned.to };
  });
  const moved = found.flatMap(({ planned: { family, key }, isSame }) => (isSame ? [] : { family, key }));
  if (moved.length > 0) {
    const names = moved.map(nameItem).join(", ");
    throw new AppError("conflict", `Not as planned any more, make another plan: ${names}`, { data: { moved } });
  }
  return found.flatMap(({ change }) => (change === undefined ? [] : { ...keyOf(change), id: change.id }));
}

const keyOf = ({ family, key }: ItemKey): ItemKey => ({ family, key });

function describing(state: PolicySnapshot, contents: ReadonlyMap<string, unknown>) {
  const heads = new Map(
    itemFamilies.flatMap((family) =>
      family === "app"
        ? []
        : listViewRecords(state, family, "production").map(({ key, id }) => [itemText({ family, key }), id] as const),
    ),
  );
  return (change: StagedChange) => {
    const text = itemText(change);
    const app = change.family === "app" ? state.apps.byUuid(change.key.toLowerCase()) : undefined;
    const from = app?.accepted?.id ?? heads.get(text) ?? null;
    const content = contents.get(text);
    return { ...keyOf(change), from, to: content === undefined ? null : hash(content) };
  };
}

async function loadContents(
  changes: readonly ItemKey[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, unknown>> {
  const contents = new Map<string, unknown>();
  for (const family of namesOf(recordItems).filter((name) => changes.some((change) => change.family === name))) {
    for (const { key, item } of await loadItems(family, { environment: "staging" }, session)) {
      contents.set(itemText({ family, key }), item);
    }
  }
  const uuids = changes.flatMap(({ family, key }) => (family === "app" ? key : []));
  for (const app of uuids.length === 0 ? [] : await loadAppItems(session, uuids)) {
    contents.set(itemText({ family: "app", key: app.uuid }), canonical(app));
  }
  return contents;
}

const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const digestOf = (items: ReleasePlan["items"]) =>
  hash(items.map(({ family, key, from, to }) => [family, key, from, to]));
