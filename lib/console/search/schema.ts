import { z } from "zod";
import { queryText } from "@/lib/platform/zod/query";
import { taking } from "@/lib/platform/zod/taking";

/** Characters of a search. */
export const longestSearch = 100;

/** Query of `GET ui/search`. */
export const searchQuery = z.object({
  q: taking(
    queryText()
      .pipe(z.string("q is missing"))
      .transform((text) => text.trim())
      .refine((text) => text !== "", { error: "q must not be empty", abort: true })
      .refine((text) => text.length <= longestSearch, `q must have at most ${longestSearch} characters`)
      .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "q must not hold control characters"),
    z.string().min(1).max(longestSearch),
  ),
});
