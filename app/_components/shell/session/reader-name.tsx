"use client";
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

/** Without a name, the role stands for it, as in records. */
export function ReaderName(reader: Reader) {
  const role = useRole();
  return useReaderName(reader) ?? role;
}
