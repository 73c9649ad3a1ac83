import { ask, get } from "@/lib/platform/http/client";
import type { ApprovedAnswer, ChangesAnswer, PublicationAnswer, ReleaseCheckJson } from "@/lib/releases/answer-schema";
import type { ReleaseAct } from "@/lib/releases/publish/schema";
import { type ItemKey, itemText } from "@/lib/vocabulary/release-items";
import { useState } from "react";
import useSWR, { mutate } from "swr";
import { type Choice, chooseItems } from "./item-address";

/** The number of the release in a response; null: none was made. */
export const numberOf = (answer: PublicationAnswer | ApprovedAnswer): number | null =>
  "release" in answer ? answer.release.number : null;

const changesPath = "/api/v1/releases/changes";

/** Longer addresses may be refused by a proxy in front of this server, or by the server itself (16 kB). */
const longestAddress = 4_000;

/** The address of checks and effect for some items. For `readReview`, like all of these. */
export const pathOfChoice = (items: readonly ItemKey[], isAll: boolean) => addressOf(changesPath, items, isAll);

/** The addresses of the effect that publishing some items has. */
export function pathsOfChoice(items: readonly ItemKey[], isAll: boolean) {
  const path = `${changesPath}/apps`;
  return {
    pathOf: (uuid: string) => addressOf(`${path}/${encodeURIComponent(uuid)}`, items, isAll),
    morePathOf: (from: number) => addressOf(path, items, isAll, [["from", String(from)]]),
  };
}

/** The address of what differs in an item of a long review. */
export const pathOfItem = (item: ItemKey) => addressOf(`${changesPath}/items`, [item], false);

/** The same of a release, or of rolling back to it. */
export function pathsOfRelease(number: number, act: ReleaseAct) {
  const path = `/api/v1/releases/${number}/apps`;
  return {
    pathOf: (uuid: string) => `${path}/${encodeURIComponent(uuid)}?of=${act}`,
    morePathOf: (from: number) => `${path}?of=${act}&from=${from}`,
  };
}

function addressOf(path: string, items: readonly ItemKey[], isAll: boolean, more: readonly [string, string][] = []) {
  const chosen = isAll ? [] : items.map((item): [string, string] => ["items", itemText(item)]);
  const query = new URLSearchParams([...more, ...chosen]).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Fetches such an address; if it is too long, the selection goes into the body. */
export function readReview(path: string): Promise<unknown> {
  if (path.length <= longestAddress) return get(path);
  const [route = "", text] = path.split("?");
  const query = new URLSearchParams(text);
  const from = query.get("from");
  return ask([route, JSON.stringify({ items: query.getAll("items"), ...(from !== null && { from: Number(from) }) })]);
}

/** Why the selected items cannot be published; null if they can. */
export function findObstacle(count: number, checks: readonly ReleaseCheckJson[] | null): string | null {
  if (count === 0) return "Choose what to publish";
  if (checks === null) return "Checks are still running";
  const blocks = checks.filter(({ level }) => level === "block").length;
  if (blocks === 0) return null;
  return blocks === 1 ? "A check blocks this. See above" : `${blocks} checks block this. See above`;
}

const readChoice = (path: string) => readReview(path) as Promise<ChangesAnswer>;

export function useReview(first: ChangesAnswer, choices: readonly Choice[]) {
  const { data: all = first } = useSWR<ChangesAnswer>(changesPath, {
    fallbackData: first,
    revalidateOnMount: false,
    revalidateIfStale: false,
  });
  const [marked, setMarked] = useState(() => chooseItems(first.items, choices));
  const chosen = all.items.filter((item) => marked.has(itemText(item)));
  const isAll = chosen.length === all.items.length;
  const path = chosen.length === 0 || isAll ? null : pathOfChoice(chosen, isAll);
  const ofSome = useSWR<ChangesAnswer>(path, readChoice);
  const told = isAll ? all : path === null ? null : (ofSome.data ?? null);
  const isTelling = path !== null && ofSome.isValidating;

  return {
    items: all.items,
    chosen,
    isAll,
    isChosen: (item: ItemKey) => marked.has(itemText(item)),
    choose: (items: readonly ItemKey[], isChosen: boolean) => {
      setMarked((before) => {
        const next = new Set(before);
        for (const item of items) {
          if (isChosen) next.add(itemText(item));
          else next.delete(itemText(item));
        }
        return next;
      });
    },
    /** Belongs to the previous selection while `isTelling`. */
    checks: told?.checks ?? null,
    effect: told?.effect ?? null,
    isTelling,
    error: path === null ? undefined : (ofSome.error as unknown),
    /** Reloads everything after a publication or somebody else's save. */
    reload: () => mutate((key) => typeof key === "string" && key.startsWith(changesPath)),
  };
}
export type Review = ReturnType<typeof useReview>;
