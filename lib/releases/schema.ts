/** Input of the release and history routes (`releases.md` section 5). Safe in the browser. */
import { z } from "zod";
import { releaseKinds } from "@/lib/releases/vocabulary";
import { queryInteger, queryLimit, queryText } from "@/lib/zod/query";
import { taking } from "@/lib/zod/taking";
import { environments } from "@/lib/words/vocabulary";

const digits = /^\d{1,9}$/;
const filledText = () => queryText().transform((text) => (text === "" ? undefined : text));

export const releasesQuery = z.object({
  limit: queryLimit(100),
  cursor: queryInteger().describe("next_cursor of the page before"),
  kind: filledText().pipe(z.enum(releaseKinds, { error: `kind must be one of ${releaseKinds.join(", ")}` }).optional()),
});
export type ReleasesQuery = z.output<typeof releasesQuery>;

/** The number in the path of a release. */
export const releaseParams = z.object({
  n: taking(z.string().regex(digits, { error: "n must be the number of a release" }).transform(Number), z.int().min(1)),
});

/** What a release can be compared with: another one, or what an environment holds now. */
export type CompareWith = number | (typeof environments)[number];

const compareSentence = "to must be the number of a release, production or staging";
export const releaseDiffQuery = z.object({
  to: filledText()
    .transform((text, context): CompareWith | undefined => {
      const environment = environments.find((name) => name === text);
      if (text === undefined || environment !== undefined) return environment;
      if (digits.test(text)) return Number(text);
      context.addIssue({ code: "custom", message: compareSentence });
      return z.NEVER;
    })
    .describe("The number of a release, production or staging; absent: the release before"),
});
