"use client";
import { useStoredText } from "@/app/_components/hooks/use-preference";

/** The reader of a page, as in `GET /api/v1/me`. */
export interface Reader {
  /** Null: the server knows no name. */
  readonly name: string | null;
  /** Shown instead, unless this browser stores a display name. */
  readonly nameless: string;
}

/** The name recorded with the reader's changes. */
export function ReaderName({ name, nameless }: Reader) {
  const [own] = useStoredText("displayName");
  return name ?? (own?.trim() || nameless);
}
