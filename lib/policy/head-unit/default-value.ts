import type { Spot } from "@/lib/policy/head-unit/finding";
import { byteLength, quoted, type JsonObject } from "@/lib/policy/head-unit/values";

/**
 * Checks `defvalue` of a vehicle data item (section 8). A head unit reads it as text, so `5` and `"5"` are equal, and
 * null is an empty text.
 */
export function checkDefaultValue(item: JsonObject, spot: Spot): void {
  if (!Object.hasOwn(item, "defvalue")) return;
  const value = item["defvalue"];
  if (typeof value === "object" && value !== null) {
    spot.refuse("its process ends, because the default value is a list or an object");
    return;
  }
  const written = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  const why = whyUnfit(item, written);
  if (why !== null) spot.refuse(`the default value ${quoted(value)} ${why}`);
}

function whyUnfit(item: JsonObject, written: string): string | null {
  switch (item["type"]) {
    case "Integer":
      return /^-?\d+$/.test(written)
        ? whyOutside(Number(written), item["minvalue"], item["maxvalue"])
        : "is no integer";
    case "Float":
      return /^-?\d+(\.\d*)?$/.test(written)
        ? whyOutside(Number(written), item["minvalue"], item["maxvalue"])
        : "is no plain number";
    case "Boolean":
      return written === "true" || written === "false" ? null : "is neither true nor false";
    case "String":
      return whyOutside(byteLength(written), item["minsize"], item["maxsize"]);
    case "Struct":
      return "stands at a Struct, which may have none";
    default:
      return null;
  }
}

function whyOutside(size: number, min: unknown, max: unknown): string | null {
  if (typeof min === "number" && size < min) return `is below ${min}`;
  return typeof max === "number" && size > max ? `is above ${max}` : null;
}
