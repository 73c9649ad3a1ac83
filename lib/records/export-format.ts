/** What the files of lists are made of. Safe in the browser. */
import { z } from "zod";
import { queryText } from "@/lib/zod/query";

const exportFormats = ["csv", "json"] as const;

/** `format` of the routes that send a list as a file. */
export const exportFormat = queryText().pipe(
  z.enum(exportFormats, { error: "format must be csv or json" }).default("csv"),
);
