"use client";

import type { ReactNode } from "react";
import { useRole } from "@/app/_components/shell/role";
import { useStoredText } from "@/app/_components/hooks/use-preference";

export interface Reader {
  /** Null: the server knows no name. */
  readonly name: string | null;
}

/** The name that the server knows, else the one that this browser sends with changes; null: neither. */
export function useReaderName({ name }: Reader): string | null {
  const [own] = useStoredText("displayName");
  return name ?? (own?.trim() || null);
}

/** `children`: what is known about the name. */
export function ReaderName({ children, ...reader }: Readonly<Reader & { children: ReactNode }>) {
  const role = useRole();
  const name = useReaderName(reader);
  if (name === null) return `None: your changes are recorded as those of "${role}"`;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <bdi className="font-medium wrap-anywhere">{name}</bdi>
      {children}
    </span>
  );
}
