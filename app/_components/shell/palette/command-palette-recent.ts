import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

/** What was chosen lately in this browser: names and addresses, nothing else. */
export interface RecentItem {
  readonly label: string;
  readonly href: string;
  /** What it is, as the headings call it. */
  readonly kind: string;
}

const key = "palette:recent";
const maxKept = 8;
const longestText = 500;

/** The latest first. What is damaged counts as nothing. */
export function listRecent(): RecentItem[] {
  try {
    const stored: unknown = JSON.parse(readStored("localStorage", key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecentItem).slice(0, maxKept) : [];
  } catch {
    return [];
  }
}

function isRecentItem(value: unknown): value is RecentItem {
  if (typeof value !== "object" || value === null) return false;
  const { label, href, kind } = value as Partial<Record<keyof RecentItem, unknown>>;
  const isText = (text: unknown): text is string => typeof text === "string" && text.length <= longestText;
  // Only ways within the console: whoever can write here must not send the reader elsewhere.
  return isText(label) && isText(kind) && isText(href) && /^\/(?!\/|\\)/.test(href);
}

/** Remembers that something was gone to. */
export function noteRecent({
  label,
  href,
  kind,
}: Pick<PaletteItem, "label" | "kind"> & { readonly href: string }): void {
  const others = listRecent().filter((one) => one.href !== href);
  writeStored("localStorage", key, JSON.stringify([{ label, href, kind }, ...others].slice(0, maxKept)));
}
