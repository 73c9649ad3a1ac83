import { z } from "zod";
import { adoptionFigures, appFigures, answeredFigures } from "@/lib/fleet/figures/answer-schema";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { auditAnswer } from "@/lib/platform/audit/schema";
import { releasesAnswer, rolloutAnswer, scheduledAnswer } from "@/lib/releases/answer-schema";
import { itemChanges, itemFamilies } from "@/lib/vocabulary/release-items";
import { needs } from "@/lib/vocabulary/roles";

/** Riskiest first. `others_approvals`: requests that the caller cannot approve. */
export const waitingKinds = [
  "database",
  "authority",
  "expired_certificates",
  "stopped_releases",
  "approvals",
  "applications",
  "changes",
  "ending_certificates",
  "failed_tasks",
  "unreadable_applications",
  "unmapped_permissions",
  "others_approvals",
  "scheduled_releases",
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

const waiting = z
  .object({
    kind: z.enum(waitingKinds),
    count: z.int().positive(),
    needs: z.enum(needs).describe("What somebody must be allowed to do about it"),
    path: z.string().describe("Page of the console where it is dealt with"),
    detail: nullableText,
  })
  .meta({ id: "Waiting" });
export type Waiting = z.infer<typeof waiting>;

export const stepKinds = ["sign_in", "directory", "review", "publish", "vehicle"] as const;
export type StepKind = (typeof stepKinds)[number];

export const overviewAnswer = z
  .object({
    waiting: z.array(waiting).describe("What waits for somebody, the riskiest first"),
    applications: z
      .array(
        z.object({ id: z.int(), name: z.string(), vendor: z.string(), version: z.string(), waiting_since: timestamp }),
      )
      .describe("The first apps to review, in the order of their list"),
    changes: z
      .array(
        z.object({ family: z.enum(itemFamilies), title: z.string(), change: z.enum(itemChanges), path: z.string() }),
      )
      .describe("The first changes that are not in production, in publishing order"),
    since: z.object({
      from: timestamp,
      kinds: z
        .array(z.object({ event: auditAnswer.shape.events.element.describe("The newest"), count: z.int().positive() }))
        .describe("What people did by person and action, the latest first; without releases and sign-ins"),
      has_more: z.boolean().describe("Whether there are more than the newest 5,000 events, which are counted"),
    }),
    releases: releasesAnswer.shape.releases.describe("The newest 20"),
    scheduled: scheduledAnswer.shape.scheduled,
    rollout: rolloutAnswer.shape.rollout.describe("What is being rolled out; null: nothing"),
    served: z
      .object({
        revision: z.int().nullable(),
        served_revision: z.int().nullable().describe("Lowest one of the vehicle workers; null: there are none"),
        compiled_ts: timestamp.nullable(),
        applications: z.int(),
        groups: z.int(),
      })
      .nullable()
      .describe("What vehicles get from production; null: nothing is served"),
    fleet: z
      .object({
        requests: answeredFigures,
        staging: answeredFigures.shape.total,
        adoption: adoptionFigures,
        apps: z.array(appFigures.shape.apps.element.pick({ uuid: true, name: true, count: true, share: true })),
      })
      .nullable()
      .describe(
        "Production in the last 24 hours, the current one last: answers, releases that vehicles had, most requested apps. Null: no vehicle has asked in 90 days",
      ),
    steps: z.array(z.enum(stepKinds)).describe("The next three steps; none once something was published"),
  })
  .meta({ id: "Overview" });
export type OverviewAnswer = z.infer<typeof overviewAnswer>;
