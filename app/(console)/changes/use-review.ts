import { useState } from "react";
import useSWR, { mutate } from "swr";
import { changesPath, pathOfChoice, readReview } from "@/app/_releases/review-data";
import { type Choice, chooseItems } from "@/app/_releases/item-address";
import type { ChangesAnswer } from "@/lib/content/releases/answer-schema";
import { type ItemKey, itemText } from "@/lib/labels/release-items";

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
    /** Of what was chosen before while `isTelling`. */
    checks: told?.checks ?? null,
    effect: told?.effect ?? null,
    isTelling,
    error: path === null ? undefined : (ofSome.error as unknown),
    /** Reads everything again: something was published, or somebody else has saved. */
    reload: () => mutate((key) => typeof key === "string" && key.startsWith(changesPath)),
  };
}
export type Review = ReturnType<typeof useReview>;
