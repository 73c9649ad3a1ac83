/** Input of `GET audit`. Safe in the browser. */
import { z } from "zod";
import { queryInteger, queryLimit, queryText } from "@/lib/zod/query";

const filledText = () => queryText().transform((text) => (text === "" ? undefined : text));

export const auditQuery = z.object({
  /** What was changed, e.g. `application:41` or `group:Base-4`; undefined: everything. */
  target: filledText(),
  /** `next_cursor` of the page before: the id below which to go on. */
  cursor: queryInteger(),
  limit: queryLimit(100),
});
export type AuditQuery = z.output<typeof auditQuery>;
