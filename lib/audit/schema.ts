/** Input of `GET audit`. Safe in the browser. */
import { z } from "zod";
import { queryInteger, queryText } from "@/lib/zod/query";
import { taking } from "@/lib/zod/taking";

const mostPerPage = 1000;
const limitSentence = `limit must be an integer from 1 to ${mostPerPage}`;
const mostWhenUnsaid = 100;
const filledText = () => queryText().transform((text) => (text === "" ? undefined : text));

export const auditQuery = z.object({
  /** What was changed, e.g. `application:41` or `group:Base-4`; undefined: everything. */
  target: filledText(),
  /** `next_cursor` of the page before: the id below which to go on. */
  cursor: queryInteger(),
  limit: taking(
    queryInteger()
      .transform((limit) => limit ?? mostWhenUnsaid)
      .refine((limit) => limit >= 1 && limit <= mostPerPage, { error: limitSentence }),
    z.int().min(1).max(mostPerPage).default(mostWhenUnsaid),
  ),
});
export type AuditQuery = z.output<typeof auditQuery>;
