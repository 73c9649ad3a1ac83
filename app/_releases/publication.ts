import { ApiError } from "@/lib/platform/http/client";
import type { AuthorJson } from "@/lib/content/releases/answer-schema";
import { itemFamilies, type ItemKey } from "@/lib/labels/release-items";
import { plural } from "@/lib/labels/format-number";

/** An item that somebody else has saved since the review was opened (L8). */
export interface Moved extends ItemKey {
  readonly author: AuthorJson | null;
  /** ISO 8601; null: that is not known. */
  readonly at: string | null;
}

/** `data.moved` of a refused publication; null for every other failure. */
export function readMoved(error: unknown): readonly Moved[] | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const list = member(error.data, "moved");
  const moved = Array.isArray(list) ? list.flatMap(toMoved) : [];
  return moved.length === 0 ? null : moved;
}

function toMoved(value: unknown): Moved[] {
  const family = itemFamilies.find((name) => name === member(value, "family"));
  const key = textIn(value, "key");
  if (family === undefined || key === null) return [];
  return [{ family, key, author: readAuthor(member(value, "author")), at: textIn(value, "at") }];
}

function readAuthor(value: unknown): AuthorJson | null {
  const actor = textIn(value, "actor");
  if (actor === null) return null;
  return {
    actor,
    display_name: textIn(value, "display_name"),
    display_name_verified: member(value, "display_name_verified") === true,
  };
}

/** The number of the release in the answer of a publication or return; null: none was made. */
export function readNumber(answer: unknown): number | null {
  const number = member(member(answer, "release"), "number");
  return typeof number === "number" ? number : null;
}

/** Whether an answer says that another person has to approve it first. */
export function wasAsked(answer: unknown): boolean {
  return member(answer, "approval") !== undefined;
}

/** "Published 9 items as release #42" */
export function publishedSentence(count: number, number: number | null): string {
  return `Published ${plural(count, "item")}${number === null ? "" : ` as release #${number}`}`;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function textIn(value: unknown, name: string): string | null {
  const text = member(value, name);
  return typeof text === "string" ? text : null;
}
