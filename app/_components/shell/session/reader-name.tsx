"use client";
import { useStoredText } from "@/app/_components/hooks/use-preference";

/** Who reads a page, as `GET /api/v1/me` names them. */
export interface Reader {
  /** Null: nobody has named them to the server. */
  readonly name: string | null;
  /** What stands there then, unless this browser keeps a display name. */
  readonly nameless: string;
}

/** The name that is recorded with the reader's changes. */
export function ReaderName({ name, nameless }: Reader) {
  const [own] = useStoredText("displayName");
  return name ?? (own?.trim() || nameless);
}
