import { z } from "zod";
import { filledText } from "@/lib/platform/zod/query";

// Apart from the other kinds of parameters: no page in the browser needs what zod knows about times.

const dayMs = 86_400_000;

/** A time with its zone, or a date in UTC: its beginning, or with `dayEnd` its end. */
export function queryTime(name: string, dayEnd = false) {
  return filledText()
    .pipe(
      z
        .union([z.iso.datetime({ offset: true }), z.iso.date()], {
          error: `${name} must be a time with its zone, e.g. 2026-03-01T06:00:00Z, or a date`,
        })
        .optional(),
    )
    .transform((text) => {
      if (text === undefined) return undefined;
      const isDay = !text.includes("T");
      return new Date(Date.parse(text) + (isDay && dayEnd ? dayMs : 0));
    });
}
