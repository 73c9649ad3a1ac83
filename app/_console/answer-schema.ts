/** The console's own routes may change with it. */
import { z } from "zod";
import { roles } from "@/lib/vocabulary/roles";
import { nullableText } from "@/lib/platform/http/answer-schema";

const count = z.int().nonnegative();

const refusal = z.object({ count, message: z.string(), path: z.string() });

export const countersAnswer = z
  .object({
    pending_applications: count.describe("Apps whose latest version nobody has decided about"),
    waiting_approvals: count.describe("Requests that the caller can approve"),
    modified_groups: count.describe("Staged changes that are not in production, deletions included"),
    unmapped_rpcs: count.describe("RPCs that no functional group in production contains"),
    unmapped_parameters: count,
    modified_messages: count,
    modified_vehicle_data: count,
    is_module_config_modified: z.boolean(),
    unpublished_changes: count.describe("Everything that the review of changes lists, apps in staging included"),
    refused_tables: z
      .object({ staging: refusal.nullable(), production: refusal.nullable() })
      .describe("Why head units would refuse the tables; null: they would not"),
    unreadable_applications: count.describe("Apps whose record in the app directory could not be used"),
    failed_tasks: count.describe("Tasks of the app directory whose last run failed"),
    reader: z
      .object({
        id: nullableText.describe("Of a person, as in GET sessions; null: others may have the same credentials"),
        name: nullableText,
        role: z.enum(roles).nullable(),
      })
      .nullable()
      .describe("The caller: pages notice when it is another one"),
  })
  .meta({ id: "Counters" });
export type CountersAnswer = z.infer<typeof countersAnswer>;
