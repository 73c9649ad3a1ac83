"use client";
import { createContext, Fragment, type ReactNode, use, useCallback, useState } from "react";

const NoteCreatedContext = createContext<(name: string) => void>(() => undefined);

/**
 * Holds the editor of a page. Another record gets a new editor. Another version of the record keeps it, with the focus
 * and what is being typed, and so does a new record once it is saved.
 *
 * @param props.record identifies the record, or the new one
 * @param props.name its name; empty for a new one
 */
export function EditorSlot({
  record,
  name,
  children,
}: Readonly<{ record: string; name: string; children: ReactNode }>) {
  const [held, setHeld] = useState<{
    readonly record: string;
    readonly count: number;
    readonly created: string | null;
  }>({ record, count: 0, created: null });
  if (held.record !== record) {
    const isCreated = held.created !== null && held.created === name;
    setHeld({ record, count: held.count + (isCreated ? 0 : 1), created: null });
  }
  const noteCreated = useCallback((created: string) => setHeld((before) => ({ ...before, created })), []);
  return (
    <NoteCreatedContext value={noteCreated}>
      <Fragment key={held.count}>{children}</Fragment>
    </NoteCreatedContext>
  );
}

/** Tells the page's slot that its new record now has this name. */
export function useNoteCreated(): (name: string) => void {
  return use(NoteCreatedContext);
}
