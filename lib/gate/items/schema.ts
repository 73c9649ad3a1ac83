/** Input of the history routes (`releases.md` section 5). Safe in the browser. */
import { z } from "zod";
import { baseIdMember } from "@/lib/content/records/query";
import { itemFamilies } from "@/lib/labels/release-items";
import { bodyId, queryInteger, queryLimit } from "@/lib/platform/zod/query";

/** The item in a path; of the module config, of which there is one, the key says nothing. */
export const itemParams = z
  .object({
    family: z.enum(itemFamilies, { error: `family must be one of ${itemFamilies.join(", ")}` }),
    key: z.string().describe("Name, category or uuid; of the module config anything, e.g. -"),
  })
  .transform(({ family, key }) => ({ family, key: family === "module_config" ? "" : key }));

export const historyQuery = z.object({
  limit: queryLimit(50),
  cursor: queryInteger().describe("next_cursor of the page before"),
});
export type HistoryQuery = z.output<typeof historyQuery>;

const versionId = (name: string) => queryInteger().pipe(z.int({ error: `${name} must be the id of a version` }));
export const historyDiffQuery = z.object({ from: versionId("from"), to: versionId("to") });

export const restoreBody = z.object({ id: bodyId, base_id: baseIdMember });
export type RestoreBody = z.output<typeof restoreBody>;
