"use client";
import { useMemo } from "react";
import type { DataColumn } from "@/app/_components/list/data-column";
import { useStoredText } from "@/app/_components/use-preference";

/** Which columns of a table are shown, by id; a choice is remembered for this browser under the name of the table. */
export function useColumns(
  name: string,
  columns: readonly Pick<DataColumn<never>, "id" | "isPrimary" | "isOptional">[],
) {
  const [text, store] = useStoredText(`columns-${name}`);
  const visibility = useMemo(() => {
    // One word for each column that differs from the default: "+category" or "-updated".
    const changed = new Set(text?.split(" ") ?? []);
    return Object.fromEntries(
      columns.map(({ id, isPrimary = false, isOptional = false }) => [
        id,
        isPrimary || (isOptional ? changed.has(`+${id}`) : !changed.has(`-${id}`)),
      ]),
    );
  }, [columns, text]);

  function setVisible(id: string, isVisible: boolean) {
    const next = { ...visibility, [id]: isVisible };
    const words = columns.flatMap(({ id: one, isOptional = false }) =>
      next[one] === isOptional ? [`${isOptional ? "+" : "-"}${one}`] : [],
    );
    store(words.length === 0 ? null : words.join(" "));
  }
  const reset = () => {
    store(null);
  };
  return { visibility, setVisible, reset, isChanged: text !== null } as const;
}
