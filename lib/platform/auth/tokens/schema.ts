/** Input of the routes of tokens (`people.md` P12a). Safe in the browser. */
import { z } from "zod";
import { longestDisplayName, unfitInDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { roles } from "@/lib/labels/roles";
import { bodyId } from "@/lib/platform/zod/query";
import { taking } from "@/lib/platform/zod/taking";

/** Days that a token holds at most, unless it holds for ever. */
export const longestTokenDays = 365;
/** Days that a token holds when nothing is said. */
export const usualTokenDays = 90;

const nameSentence = `name must be a text of 1 to ${longestDisplayName} characters that show`;
const daysSentence = `expires_in_days must be an integer from 1 to ${longestTokenDays}, or null for a token that never ends`;

export const makeTokenBody = z.object({
  name: taking(
    z
      .string({ error: nameSentence })
      .trim()
      .min(1, { error: nameSentence })
      .max(longestDisplayName, { error: nameSentence })
      .refine((name) => name.isWellFormed() && !unfitInDisplayName.test(name), { error: nameSentence }),
    z.string().min(1).max(longestDisplayName),
  ),
  role: z.enum(roles, { error: `role must be one of: ${roles.join(", ")}` }),
  expires_in_days: z
    .int({ error: daysSentence })
    .min(1, { error: daysSentence })
    .max(longestTokenDays, { error: daysSentence })
    .nullable()
    .default(usualTokenDays),
});
export type MakeTokenBody = z.output<typeof makeTokenBody>;

export const tokenParams = z.object({ id: bodyId });
