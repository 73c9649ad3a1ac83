import type { Spot } from "@/lib/policy/head-unit/finding";
import { isObject, passes } from "@/lib/policy/head-unit/values";
import { deepestNesting } from "@/lib/policy/head-unit/vehicle-data";

const nulRule = "C10 NUL";

const isReadable = passes(checkReading);

/** Lone surrogates (section 1), and NULs, which cut texts in the database (C10). No recursion: nesting may be deep. */
export function checkReading(table: unknown, spot: Spot): void {
  const open: { readonly value: unknown; readonly spot: Spot; readonly depth: number }[] = [
    { value: table, spot, depth: 0 },
  ];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, depth } = place;
    if (typeof value === "string") {
      if (!value.isWellFormed())
        place.spot.refuse("the text holds half a surrogate pair, which its reader cannot take");
      if (value.includes("\0")) place.spot.under(nulRule).strand("its database cuts the text at the NUL in it");
      continue;
    }
    if (typeof value !== "object" || value === null) continue;
    // A struct has two levels of JSON: the item and its list of params.
    if (depth >= deepestNesting * 2) {
      place.spot
        .under("1 nesting")
        .warn("may not be able to read values nested this deep; they are not checked further");
      continue;
    }
    if (depth > 0 && isReadable(value)) continue;
    if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const here = place.spot.at(key);
        if (!key.isWellFormed()) here.refuse("the key holds half a surrogate pair, which its reader cannot take");
        if (key.includes("\0")) here.under(nulRule).strand("its database cuts the key at the NUL in it");
        open.push({ value: member, spot: here, depth: depth + 1 });
      }
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        open.push({ value: element, spot: place.spot.at(index), depth: depth + 1 });
      }
    }
  }
}
