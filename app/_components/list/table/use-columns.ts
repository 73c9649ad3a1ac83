import { useMemo } from "react";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { useStoredText } from "@/app/_components/hooks/use-preference";

type Column = Pick<DataColumn<never>, "id" | "isPrimary" | "isOptional" | "hiddenBelow">;

/** `chosen` are columns that the reader wants on every screen, even where they would be hidden. */
export function useColumns(name: string | null, columns: readonly Column[]) {
  const [text, store] = useStoredText(`columns-${name ?? ""}`);
  const { visibility, chosen } = useMemo(() => {
    // One word for each changed column: "+category" or "-updated".
    const words = new Set(text?.split(" ") ?? []);
    return {
      visibility: Object.fromEntries(
        columns.map(({ id, isPrimary = false, isOptional = false }) => [
          id,
          isPrimary || (isOptional ? words.has(`+${id}`) : !words.has(`-${id}`)),
        ]),
      ),
      chosen: new Set(columns.flatMap(({ id }) => (words.has(`+${id}`) ? [id] : []))),
    };
  }, [columns, text]);

  function setVisible(id: string, isVisible: boolean) {
    const next = { ...visibility, [id]: isVisible };
    const wanted = new Set(chosen);
    if (isVisible) wanted.add(id);
    const words = columns.flatMap(({ id: one, isOptional = false, hiddenBelow }) => {
      if (next[one] === false) return isOptional ? [] : [`-${one}`];
      // A column hidden on narrow screens stays only if the reader has said so.
      return isOptional || (hiddenBelow !== undefined && wanted.has(one)) ? [`+${one}`] : [];
    });
    store(words.length === 0 ? null : words.join(" "));
  }
  const reset = () => store(null);
  return { visibility, chosen, setVisible, reset, isChanged: text !== null } as const;
}

export const giveWayClass = { lg: "md:max-lg:hidden", xl: "md:max-xl:hidden" } as const;
const widths = { lg: "64rem", xl: "80rem" } as const;

/** Browser only. */
export function givesWay({ id, hiddenBelow }: Column, chosen: ReadonlySet<string>): boolean {
  if (hiddenBelow === undefined || chosen.has(id)) return false;
  return window.matchMedia(`(width >= 48rem) and (width < ${widths[hiddenBelow]})`).matches;
}
