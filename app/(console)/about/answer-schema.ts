import { z } from "zod";
import { taskNames } from "@/lib/jobs/task-names";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { finding } from "@/lib/policy/answer/answer-schema";

const email = z.object({ enabled: z.boolean(), frequency: z.enum(["DISABLED", "REALTIME"]), to_count: z.int() });

const directoryTask = z
  .object({
    name: z.enum(taskNames),
    state: z.enum(["waiting", "running", "succeeded", "failed"]),
    phase: nullableText.describe("What it is doing now, in a few words"),
    done: z.int(),
    total: z.int().nullable().describe("Null while the amount of work is not known"),
    counts: z
      .record(z.string(), z.union([z.int(), z.boolean()]))
      .nullable()
      .describe("Of the last successful run"),
    started_ts: timestamp.nullable(),
    finished_ts: timestamp.nullable(),
    succeeded_ts: timestamp.nullable().describe("End of the last successful run"),
    next_run_ts: timestamp.nullable().describe("Null where no schedule runs"),
    last_error: nullableText.describe("Null after a success"),
  })
  .meta({ id: "DirectoryTask" });

const directoryQueue = z.object({
  waiting: z.int(),
  failing: z.int().describe("How many of the waiting ones have failed before"),
  next_due_ts: timestamp.nullable(),
  last_error: nullableText,
});

const directory = z.object({
  mode: z.enum(["shaid", "example", "off"]),
  base_url: nullableText,
  tasks: z.array(directoryTask).nullable().describe("Null while the database cannot be reached"),
  queues: z
    .object({
      applications: directoryQueue.describe("Apps to be read again: announced ones, and those with unusable records"),
      feedback: directoryQueue.describe("Decisions that the directory has not confirmed"),
    })
    .nullable(),
});

const headUnitFindings = z
  .object({
    refused: z.int(),
    stranded: z.int(),
    danger: z.int(),
    corrected: z.int(),
    findings: z
      .array(
        finding.extend({
          uuid: nullableText.describe("App whose entry it is about; null: every table holds it"),
        }),
      )
      .describe("Refusals first, at most 50"),
  })
  .meta({ id: "HeadUnitFindings" });

/** `api.md` 2.4 */
export const aboutAnswer = z
  .object({
    current_version: z.string(),
    latest_version: z.string().describe("This server does not look for newer versions: always the current one"),
    is_update_available: z.literal(false),
    update_type: z.null(),
    ssl_port: z.int().nullable(),
    cache_module: z.null(),
    auth_type: z.enum(["basic", "oidc"]).nullable(),
    auto_approve_all_apps: z.boolean(),
    encryption_required: z.boolean(),
    base_url: z.string(),
    webhook_url: z.string(),
    notification: z.object({ appsPendingReview: z.object({ email }) }),
    certificate_authority: z.boolean(),
    is_authority_valid: z.boolean().optional().describe("Only while certificate generation is enabled"),
    module_key_public: z.boolean().describe("Whether policy tables hold the private key of head units as plain text"),
    app_certificate_get: z
      .enum(["public", "admin", "off"])
      .nullable()
      .describe("Who may fetch the containers of apps; null while certificate generation is off"),
    auth_user_header: nullableText.describe("Header in which a proxy names the user it has authenticated; null: none"),
    database: z.enum(["embedded", "mongodb"]),
    directory,
    policy: z.object({
      revision: z.int().nullable().describe("Of this process; null while there is none"),
      served_revision: z
        .int()
        .nullable()
        .describe("Lowest revision that the vehicle workers serve; null: there are no vehicle workers"),
      unexpected_database: nullableText.describe(
        "Why vehicles keep the last policy although the database can be read: it is not the one that policy comes from",
      ),
    }),
    head_unit_findings: z
      .object({ staging: headUnitFindings, production: headUnitFindings })
      .describe("Problems that head units would report in the tables in service"),
  })
  .meta({ id: "About" });

export const syncAnswer = z.object({ started: z.array(z.enum(taskNames)) });

export const readyAnswer = z.object({
  state: z.enum(["starting", "ready", "degraded", "stopping"]),
  revision: z.int().nullable(),
  policy_age_seconds: z.int().nullable(),
  policy_confirmed_age_seconds: z
    .int()
    .nullable()
    .describe("Seconds since the database last confirmed this revision, across restarts; null if not known"),
  unexpected_database: z
    .boolean()
    .describe("Whether vehicles keep the last policy because this is a different database"),
});
