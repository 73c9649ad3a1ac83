/** Brings what an sdl_server has stored within what head units take (`exchange.md` X7). Pure. */
import { cutText } from "@/lib/policy/head-unit/entry-limits";
import type { Loss, Report, SdlRow, SdlTableName } from "@/lib/exchange/migration/convert/tables";
import { byteLength } from "@/lib/labels/byte-length";
import type { Environment } from "@/lib/labels/vocabulary";

/**
 * Shortens names that are too long, between characters. A name that two would then share gets a number.
 *
 * @param names all names, oldest first: a long one that comes later changes none before
 * @param most bytes of UTF-8
 * @returns gives the name under which one is carried over; names that fit are as they were
 */
export function shortenNames(names: readonly string[], most: number): (name: string) => string {
  const long = names.filter((name) => byteLength(name) > most);
  const taken = new Set(names);
  const shortened = new Map<string, string>();
  for (const name of long) {
    if (shortened.has(name)) continue;
    let short = cutText(name, most);
    for (let number = 2; taken.has(short); number += 1) {
      const ending = `~${number}`;
      short = `${cutText(name, most - ending.length)}${ending}`;
    }
    taken.add(short);
    shortened.set(name, short);
  }
  return (name) => shortened.get(name) ?? name;
}

type Versioned = Pick<SdlRow<"message_group">, "id" | "status" | "is_deleted">;

/** The newest row of each key in both views, in the order in which the keys came up first. */
export function viewsOfRows<Row extends Versioned>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const views = { staging: new Map<string, Row>(), production: new Map<string, Row>() };
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    // Setting a key again leaves its place.
    views.staging.set(keyOf(row), row);
    if (row.status === "PRODUCTION") views.production.set(keyOf(row), row);
  }
  return views;
}

export interface Choice<Row> {
  readonly keyOf: (row: Row) => string;
  /** Whether a table of the environment holds the newest row of its key. */
  readonly isShown: (row: Row, environment: Environment) => boolean;
  /** These are kept before others. */
  readonly isFirst: (row: Row) => boolean;
}

/**
 * Finds what does not fit into one policy table. Those that came last go: a table with more was refused by every head unit, so
 * cars have never seen them. What production holds is kept before what only staging holds.
 *
 * @param most of them in one table
 * @returns the keys to leave out of both environments
 */
export function findExcess<Row extends Versioned>(
  rows: readonly Row[],
  most: number,
  { keyOf, isShown, isFirst }: Choice<Row>,
): ReadonlySet<string> {
  const views = viewsOfRows(rows, keyOf);
  const shown = (environment: Environment) =>
    [...views[environment]].filter(([, row]) => !row.is_deleted && isShown(row, environment));
  const live = new Map(shown("production"));
  const rankOf = ([key, row]: readonly [string, Row]) => (live.has(key) ? 0 : 2) + (isFirst(row) ? 0 : 1);
  const excess = new Set<string>();
  for (const environment of ["production", "staging"] as const) {
    const left = shown(environment).filter(([key]) => !excess.has(key));
    for (const [key] of left.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(most)) excess.add(key);
  }
  return excess;
}

/** Tells of one thing what it loses, and in which place; see `Loss`. */
export type Lose = (reason: string, at?: string, more?: Pick<Loss, "now" | "isUnused">) => void;

/** Tells the losses of one thing. */
export const losesOf =
  (report: Report, table: SdlTableName, what: string): Lose =>
  (reason, at, more) =>
    report({ table, what, reason, ...(at !== undefined && { at }), ...more });

/** A text within what head units take of it. */
export function fitText(text: string, maxBytes: number, what: string, lose: Lose, at: string): string {
  if (byteLength(text) <= maxBytes) return text;
  lose(`head units take ${what} of at most ${maxBytes} bytes: it is cut`, at);
  return cutText(text, maxBytes);
}

/** A number within what head units take. */
export function clamp(
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
  lose: Lose,
  at: string,
): number {
  const taken = Math.min(max, Math.max(min, value));
  if (taken !== value) lose(`head units take ${min} to ${max}: ${taken} instead of ${value}`, at);
  return taken;
}
