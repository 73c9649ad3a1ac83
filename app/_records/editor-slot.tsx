"use client";
import { createContext, Fragment, type ReactNode, use, useCallback, useState } from "react";

const NoteCreatedContext = createContext<(name: string) => void>(() => undefined);

/**
 * Another version of the record, or a new record once saved, keeps the editor with its focus and what is being typed.
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

export function useNoteCreated(): (name: string) => void {
  return use(NoteCreatedContext);
}
