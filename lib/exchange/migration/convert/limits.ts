/** `exchange.md` X7. Pure. */
import { cutText } from "@/lib/policy/head-unit/entry-limits";
import type { Loss, ConversionReport, SdlRow, SdlTableName } from "@/lib/exchange/migration/convert/tables";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { tidyName } from "@/lib/vocabulary/whole-text";
import type { Environment } from "@/lib/vocabulary/terms";

/**
 * Cuts between characters; a name that would no longer be unique gets a number (`exchange.md` X1b). `names` start with
 * the oldest, so that later ones do not change earlier ones; `most` is in bytes of UTF-8. The result is empty if
 * nothing visible is left.
 */
export function shortenNames(names: readonly string[], most: number): (name: string) => string {
  const fit = (name: string) => tidyName(cutText(name, most));
  const unfit = names.filter((name) => fit(name) !== name);
  const taken = new Set(names);
  const shortened = new Map<string, string>();
  for (const name of unfit) {
    if (shortened.has(name)) continue;
    const whole = fit(name);
    let short = whole;
    for (let number = 2; short !== "" && taken.has(short); number += 1) {
      const ending = `~${number}`;
      short = `${cutText(whole, most - ending.length)}${ending}`;
    }
    taken.add(short);
    shortened.set(name, short);
  }
  return (name) => shortened.get(name) ?? name;
}

type Versioned = Pick<SdlRow<"message_group">, "id" | "status" | "is_deleted">;

/** In the order in which the keys first appear. */
export function viewsOfRows<Row extends Versioned>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const views = { staging: new Map<string, Row>(), production: new Map<string, Row>() };
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    // Setting a key again keeps its position.
    views.staging.set(keyOf(row), row);
    if (row.status === "PRODUCTION") views.production.set(keyOf(row), row);
  }
  return views;
}

interface Choice<Row> {
  readonly keyOf: (row: Row) => string;
  /** A table of the environment contains the newest row of its key. */
  readonly isShown: (row: Row, environment: Environment) => boolean;
  /** These have priority over others. */
  readonly isFirst: (row: Row) => boolean;
}

/** Keys to leave out: head units refused tables with more than `most`, so vehicles have never seen the last ones. */
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

export type Lose = (reason: string, at?: string, more?: Pick<Loss, "now" | "isUnused">) => void;

export const losesOf =
  (report: ConversionReport, table: SdlTableName, what: string): Lose =>
  (reason, at, more) =>
    report({ table, what, reason, ...(at !== undefined && { at }), ...more });

export function fitText(text: string, maxBytes: number, what: string, lose: Lose, at: string): string {
  if (byteLength(text) <= maxBytes) return text;
  lose(`head units take ${what} of at most ${maxBytes} bytes: it is cut`, at);
  return cutText(text, maxBytes);
}

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
