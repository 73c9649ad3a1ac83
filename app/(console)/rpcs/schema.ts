/** `GET ui/permissions/use` (`releases.md` L20); may change with the console. */
import { z } from "zod";
import { filterText, oneOf } from "@/lib/records/store/query";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { queryInteger, queryText, taking } from "@/lib/platform/zod/query";
import { recordOf } from "@/lib/vocabulary/members";
import { hmiLevels } from "@/lib/vocabulary/terms";

export const useFilters = ["requested", "production", "staging", "withheld", "lost"] as const;
export type UseFilter = (typeof useFilters)[number];

export const useListMembers = {
  q: filterText(),
  apps: oneOf(useFilters),
  /** Beyond the end, it means the last page. */
  after: queryInteger()
    .transform((after) => Math.max(0, after ?? 0))
    .catch(0),
} as const;
export const useListQuery = z.object(useListMembers);

const longestName = 255;

export const permissionUseQuery = z.object({
  rpc: taking(
    queryText()
      .pipe(z.string("rpc is missing"))
      .refine((name) => name !== "" && name.length <= longestName, `rpc must have 1 to ${longestName} characters`),
    z.string().min(1).max(longestName),
  ),
  parameter: filterText(longestName),
  ...useListMembers,
});
export type PermissionUseQuery = z.output<typeof permissionUseQuery>;

const count = z.int().nonnegative();
const level = z.enum(hmiLevels);
const use = z.object({
  levels: z.array(level).describe("Levels at which head units of every build in HEAD_UNITS permit it"),
  differing: z.array(level).describe("Levels at which only some of these builds do"),
});
const groupSays = z
  .object({ levels: z.array(level), is_veto: z.boolean().describe("Listed without parameters, which forbids it (C1)") })
  .nullable();

export const permissionUseAnswer = z
  .object({
    rpc: z.string(),
    parameter: nullableText,
    parents: z.array(z.string()).describe("The RPCs that a parameter belongs to; of an RPC itself none"),
    parameters: z.array(z.string()).describe("The parameters of an RPC, by name"),
    groups: z.object({
      items: z.array(z.object({ name: z.string(), prompt: nullableText, staging: groupSays, production: groupSays })),
      total: count,
    }),
    every_app: z
      .object({ staging: use, production: use })
      .describe("What an app without an entry of its own may do, because of default groups"),
    counts: z.object({ all: count, ...recordOf(useFilters, () => count) }),
    apps: z
      .array(
        z.object({
          id: z.int().describe("Newest version"),
          uuid: z.string(),
          name: z.string(),
          vendor: z.string(),
          is_blocked: z.boolean(),
          requested: z
            .array(level)
            .nullable()
            .describe("Levels that the newest version requests; null: it requests none of it"),
          staging: use,
          production: use,
          lost_in: z.int().nullable().describe("The release with which production took it away"),
        }),
      )
      .describe("A page of those that pass the filters, by name"),
    total: count.describe("Apps that pass the filters"),
    after: count,
    releases: z
      .array(z.object({ number: z.int(), name: nullableText, at: timestamp, gained: count, lost: count }))
      .describe("Releases with which apps got or lost it, newest first"),
  })
  .meta({ id: "PermissionUse" });
export type PermissionUseAnswer = z.infer<typeof permissionUseAnswer>;
