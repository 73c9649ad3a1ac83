/** A text of an entry, in the order of the entry. */
export interface EntryPiece {
  readonly text: string;
  /** Own texts belong to one app; the others come from the policy and recur in entries of other apps. */
  readonly isOwn: boolean;
  /** A piece that begins with this one and is expected more often. */
  readonly longer?: string;
}

/** Members whose values are the app's own; a quotation mark inside a JSON string is escaped, so these are members. */
const markers =
  /"(nicknames|service_names|groups)":\[|"(icon_url|endpoint|certificate)":"|"app_services":\{|(\},)"allow_unknown_rpc_passthrough":/g;
/** Addresses of icons mostly differ in their last segment only; a longer beginning is the app's own. */
const longestFolder = 80;

/**
 * Splits an entry of `app_policies` into texts that recur and texts that do not: the constant texts between the members
 * that differ, every functional group, and what is the app's own. Joined, the pieces are the text.
 *
 * @param text JSON text as `buildAppEntry` makes it, with or without a name before it and a brace after it
 */
export function splitEntry(text: string): EntryPiece[] {
  const pieces: EntryPiece[] = [];
  let from = 0;
  const cut = (to: number, isOwn: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isOwn });
    from = Math.max(from, to);
  };
  // The name, if any: `"<id>":`
  if (text.startsWith('"')) cut(endOfString(text, 0) + 2, true);
  for (const marker of text.matchAll(markers)) {
    const start = marker.index + marker[0].length;
    if (start < from) continue;
    const [, list, value, endOfServices] = marker;
    if (endOfServices !== undefined) cut(marker.index, false);
    else if (value === "icon_url") {
      const end = endOfString(text, start - 1);
      const folder = text.lastIndexOf("/", end) + 1;
      cut(folder > start && folder - start <= longestFolder ? folder : start, false);
      cut(end, true);
    } else if (value !== undefined) {
      cut(start, false);
      cut(endOfString(text, start - 1), true);
    } else if (list === "groups") {
      cut(start, false);
      from = cutGroups(text, start, pieces);
    } else {
      cut(start, false);
      if (list !== undefined) cut(endOfList(text, start), true);
    }
  }
  cut(text.length, false);
  return pieces;
}

/** One piece per group; the last one lacks the comma that it has in most other entries. */
function cutGroups(text: string, start: number, pieces: EntryPiece[]): number {
  let at = start;
  while (text[at] === '"') {
    const end = endOfString(text, at) + 1;
    const name = text.slice(at, end);
    const isLast = text[end] !== ",";
    pieces.push(isLast ? { text: name, isOwn: false, longer: `${name},` } : { text: `${name},`, isOwn: false });
    at = isLast ? end : end + 1;
  }
  return at;
}

/** Position behind the last of the strings that begin here, separated by commas. */
function endOfList(text: string, start: number): number {
  let at = start;
  while (text[at] === '"') {
    at = endOfString(text, at) + 1;
    if (text[at] === ",") at++;
  }
  return at;
}

/** Position of the quotation mark that ends the string beginning at the given one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}
