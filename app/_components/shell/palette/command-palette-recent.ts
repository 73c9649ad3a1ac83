import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

export interface RecentItem {
  readonly label: string;
  readonly href: string;
  readonly kind: string;
}

const key = "palette:recent";
const maxKept = 8;
const longestText = 500;

/** The latest first. Corrupt data count as none. */
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
  // Only paths of the console: a stored value must not redirect the reader elsewhere.
  return isText(label) && isText(kind) && isText(href) && /^\/(?!\/|\\)/.test(href);
}

export function noteRecent({
  label,
  href,
  kind,
}: Pick<PaletteItem, "label" | "kind"> & { readonly href: string }): void {
  const others = listRecent().filter((one) => one.href !== href);
  writeStored("localStorage", key, JSON.stringify([{ label, href, kind }, ...others].slice(0, maxKept)));
}
