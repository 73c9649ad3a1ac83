/** Input of the release and history routes (`releases.md` section 5). Safe in the browser. */
import { z } from "zod";
import { baseIdMember } from "@/lib/records/query";
import { itemFamilies, releaseKinds } from "@/lib/releases/vocabulary";
import { bodyId, queryInteger, queryLimit, queryText } from "@/lib/zod/query";
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
  n: taking(z.string().regex(digits, { error: "must be the number of a release" }).transform(Number), z.int().min(1)),
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

const itemFamily = z.enum(itemFamilies, { error: `family must be one of ${itemFamilies.join(", ")}` });

/** The item in a path; of the module config, of which there is one, the key says nothing. */
export const itemParams = z
  .object({
    family: itemFamily,
    key: z.string().describe("Name, category or uuid; of the module config anything, e.g. -"),
  })
  .transform(({ family, key }) => ({ family, key: family === "module_config" ? "" : key }));

export const historyQuery = z.object({
  limit: queryLimit(50),
  cursor: queryInteger().describe("next_cursor of the page before"),
});
export type HistoryQuery = z.output<typeof historyQuery>;

const recordIdOf = (name: string) => queryInteger().pipe(z.int({ error: `${name} must be the id of a version` }));
export const historyDiffQuery = z.object({ from: recordIdOf("from"), to: recordIdOf("to") });

export const restoreBody = z.object({ id: bodyId, base_id: baseIdMember });
