/** `GET ui/search`; may change with the console. */
import { z } from "zod";
import { queryText, taking } from "@/lib/platform/zod/query";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { itemFamilies } from "@/lib/vocabulary/release-items";
import { approvalStatuses, recordStatuses } from "@/lib/vocabulary/terms";

const count = z.int().nonnegative();
const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), total: count });

const foundGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: nullableText,
  status: z.enum(recordStatuses),
  is_deleted: z.boolean(),
});
const foundApplication = z.object({
  id: z.int().describe("Newest version"),
  uuid: z.string(),
  name: z.string(),
  vendor: z.string(),
  state: z.enum([...approvalStatuses, "BLOCKED"]),
});

export const searchAnswer = z
  .object({
    applications: z.object({
      items: z.array(foundApplication),
      total: count.nullable().describe("Null if there are too many to count quickly"),
    }),
    groups: listOf(foundGroup),
    records: z
      .array(z.object({ family: z.enum(itemFamilies), ...listOf(z.object({ key: z.string() })).shape }))
      .describe("Of families that are searched by name only"),
    vehicle_data: listOf(
      z.object({
        id: z.int().describe("The item, or the part of it that matches"),
        root_id: z.int(),
        name: z.string(),
        key: z.string(),
        path: z.string().describe("Names from the item down to the match, joined by dots"),
      }),
    ),
    permissions: listOf(
      z.object({
        name: z.string(),
        type: z.enum(["RPC", "PARAMETER"]),
        parents: z.array(z.string()).describe("The RPCs that a parameter belongs to"),
        groups: listOf(z.object({ id: z.int(), name: z.string() })).describe("Groups of staging that contain it"),
        application_total: count.describe("Apps whose newest version requests it"),
      }),
    ),
  })
  .meta({ id: "SearchResults" });
export type SearchAnswer = z.infer<typeof searchAnswer>;
export type FoundPermission = SearchAnswer["permissions"]["items"][number];

export const longestSearch = 100;

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
