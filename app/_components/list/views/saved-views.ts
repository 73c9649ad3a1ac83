import { changeAddress } from "@/app/_components/list/list-address";

/** A list as somebody wants to see it again. */
export interface SavedView {
  /** Trimmed, 1 to `maxNameLength` characters; no two views of a list differ in letter case alone. */
  readonly name: string;
  /** Query string without `?` and without the place within the list; "" is the list as it begins. */
  readonly query: string;
}

export const maxNameLength = 60;

/** A name as it is stored; null: none, or too long. */
export function readViewName(typed: string): string | null {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  return name === "" || name.length > maxNameLength || /\p{Cc}/u.test(name) ? null : name;
}

/** What a view keeps of an address: everything but the page of the list. */
export function queryOfView(query: { toString(): string }): string {
  return changeAddress("", query, {}).slice(1);
}

/** The address of a view. The path is that of the list: whatever is stored leads nowhere else. */
export function viewHref(path: string, { query }: Pick<SavedView, "query">): string {
  return changeAddress(path, { toString: () => query }, {});
}

/** The view that shows what this address shows, whatever the order of its parameters; null: none. */
export function findCurrent(views: readonly SavedView[], query: { toString(): string }): SavedView | null {
  const now = sorted(queryOfView(query));
  return views.find((view) => sorted(view.query) === now) ?? null;
}

function sorted(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

export function findNamed(views: readonly SavedView[], name: string): SavedView | null {
  return views.find((view) => isSameName(view.name, name)) ?? null;
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Adds a view; one of the same name is replaced. In the order of their names. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...withoutView(views, view.name), view].toSorted((one, other) =>
    one.name.localeCompare(other.name, "en", { numeric: true }),
  );
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => !isSameName(view.name, name));
}

/** The text to be stored; null: nothing needs to be. */
export function formatViews(views: readonly SavedView[]): string | null {
  return views.length === 0 ? null : JSON.stringify(views);
}

/** Reads what is stored. What is no view is left out: anybody can write there, and other versions of the console do. */
export function parseViews(text: string | null): readonly SavedView[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    if (!Array.isArray(value)) return [];
    return value.reduce<readonly SavedView[]>((views, one) => {
      const view = readView(one);
      return view === null ? views : withView(views, view);
    }, []);
  } catch {
    return [];
  }
}

function readView(value: unknown): SavedView | null {
  if (typeof value !== "object" || value === null || !("name" in value) || !("query" in value)) return null;
  if (typeof value.name !== "string" || typeof value.query !== "string") return null;
  const name = readViewName(value.name);
  return name === null ? null : { name, query: queryOfView(value.query) };
}
