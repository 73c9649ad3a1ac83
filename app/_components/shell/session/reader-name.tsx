"use client";
import { useStoredText } from "@/app/_components/hooks/use-preference";

export interface Reader {
  /** Null: the server knows no name. */
  readonly name: string | null;
  /** Shown instead, unless this browser stores a display name. */
  readonly nameless: string;
}

export function ReaderName({ name, nameless }: Reader) {
  const [own] = useStoredText("displayName");
  return name ?? (own?.trim() || nameless);
}
