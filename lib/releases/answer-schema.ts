import { z } from "zod";
import { nullableText, recordStatus, timestamp } from "@/lib/platform/http/answer-schema";
import { checkLevels, itemChanges, itemFamilies, releaseKinds } from "@/lib/vocabulary/release-items";
import { namesOf } from "@/lib/vocabulary/members";
import { brakeFigures, rolloutActs, rolloutStates } from "@/lib/vocabulary/rollouts";
import { riskKinds } from "@/lib/vocabulary/risk";
import { approvalKinds } from "@/lib/vocabulary/terms";
import { rejectedCalls, rightChange } from "@/lib/policy/answer/answer-schema";

const recordId = z.int().nullable();

/** The author of a change; `display_name` is verified only if `display_name_verified` is true. */
export const author = z
  .object({ actor: z.string(), display_name: nullableText, display_name_verified: z.boolean() })
  .meta({ id: "Author" });
export type AuthorJson = z.infer<typeof author>;

const itemMembers = {
  family: z.enum(itemFamilies),
  key: z.string().describe("Name, category or uuid; empty for the module config"),
};

const fieldChange = z
  .object({
    path: z.string().describe("Names joined by dots; members of lists by their names, e.g. rpcs.Alert.hmi_levels"),
    before: z.unknown().optional().describe("Absent or null: not there"),
    after: z.unknown().optional().describe("Absent or null: not there"),
  })
  .meta({ id: "FieldChange" });
export type FieldChangeJson = z.infer<typeof fieldChange>;

const releaseMembers = {
  number: z.int(),
  kind: z.enum(releaseKinds),
  name: nullableText,
  note: nullableText,
  author: author.nullable(),
  at: timestamp,
  revision: z.int().describe("The policy revision it made"),
  item_count: z.int(),
};
const releaseOutline = z.object(releaseMembers).meta({ id: "ReleaseOutline" });
export type ReleaseOutlineJson = z.infer<typeof releaseOutline>;

export const releasesAnswer = z.object({ releases: z.array(releaseOutline), next_cursor: z.int().nullable() });
export type ReleasesAnswer = z.infer<typeof releasesAnswer>;

const releaseItem = z
  .object({
    ...itemMembers,
    before_id: recordId.describe("Null: it was not there"),
    after_id: recordId.describe("Null: it is not there"),
    change: z.enum(itemChanges),
    summary: z.string(),
  })
  .meta({ id: "ReleaseItem" });
export type ReleaseItemJson = z.infer<typeof releaseItem>;

const remedy = z
  .object({ sentence: z.string(), ...itemMembers })
  .describe("The one step that fixes it: publish this item together with the others");
const check = z
  .object({
    level: z.enum(checkLevels),
    rule: z.string(),
    ...itemMembers,
    title: z.string().optional().describe("Name of the app; absent for other items"),
    message: z.string(),
    remedy: remedy.nullable(),
  })
  .meta({ id: "ReleaseCheck" });
export type ReleaseCheckJson = z.infer<typeof check>;

const release = z
  .object({
    ...releaseMembers,
    items: z.array(releaseItem),
    findings: z.array(check).describe("Findings with which it was published"),
    reason: nullableText.describe("Why it was published despite findings"),
    returned_to: z.int().nullable().describe("The release that a rollback restored"),
    approved_by: author.nullable().describe("The second person; null: nobody had to approve it"),
  })
  .meta({ id: "Release" });
export type ReleaseJson = z.infer<typeof release>;
export const releaseAnswer = z.object({ release });

export const itemDiff = z
  .object({ ...itemMembers, change: z.enum(itemChanges), fields: z.array(fieldChange) })
  .meta({ id: "ItemDiff" });
export type ItemDiffJson = z.infer<typeof itemDiff>;
export const releaseDiffAnswer = z.object({ items: z.array(itemDiff) });

const itemContent = {
  fields: z.array(fieldChange),
  table_fields: z.array(fieldChange).describe("The same in the compiled policy table"),
};
const changedItem = z
  .object({
    ...itemMembers,
    id: z.int().describe("The record to be published, to be named when it is"),
    production_id: recordId.describe("What production has now"),
    title: z.string().describe("Its name in the console"),
    change: z.enum(itemChanges),
    summary: z.string(),
    author: author.nullable(),
    at: timestamp,
    fields: itemContent.fields
      .nullable()
      .describe("Null, like table_fields: the differences of all items exceed 512 KiB; `changes/items` has them"),
    table_fields: itemContent.table_fields.nullable(),
  })
  .meta({ id: "ChangedItem" });
export type ChangedItemJson = z.infer<typeof changedItem>;
const changedItemContent = z.object({ ...itemMembers, ...itemContent }).meta({ id: "ChangedItemContent" });
export type ItemContentJson = z.infer<typeof changedItemContent>;
export const itemContentsAnswer = z.object({ items: z.array(changedItemContent) });
export type ItemContentsAnswer = z.infer<typeof itemContentsAnswer>;

const beforeAfter = z.object({ before: z.int(), after: z.int() });
const changeKind = z.enum(["gained", "lost"]);
const effectApp = z
  .object({
    uuid: z.string(),
    name: z.string(),
    loss: z
      .enum(["all", "own"])
      .nullable()
      .describe("all: it can do nothing; own: only what every app can; null: neither"),
    areas: z.array(z.object({ area: z.enum(riskKinds), kind: changeKind, what: z.string() })),
    rejected: z.array(rejectedCalls).describe("New permissions of its groups that cars reject"),
    prompts: z.array(z.string()).describe("Messages with which its drivers are asked from now on"),
  })
  .meta({ id: "ReleaseEffectApp" });
export type ReleaseEffectAppJson = z.infer<typeof effectApp>;

const effect = z
  .object({
    apps_changed: z.int().describe("Apps with an entry of their own that change"),
    apps_new: z.int().describe("Those of them that are not in production yet"),
    default_changed: z.boolean().describe("Whether every app without an entry of its own changes as well"),
    apps_losing: z.int().describe("Apps that lose something; losing, gaining and asked apps overlap"),
    apps_gaining: z.int(),
    apps_asked: z.int().describe("Apps about which drivers are newly asked"),
    areas: z
      .array(z.object({ area: z.enum(riskKinds), gained: z.int(), lost: z.int() }))
      .describe("Number of apps that gain or lose something in each area, the riskiest first"),
    apps: z
      .array(effectApp)
      .describe("The first 100: those that lose most first, then by name; `changes/apps` has the others"),
    bytes: z.object({ plain: beforeAfter, gzip: beforeAfter }).describe("Size of the table for a vehicle without apps"),
  })
  .meta({ id: "ReleaseEffect" });
export type ReleaseEffectJson = z.infer<typeof effect>;
export type AppsEffect = Omit<ReleaseEffectJson, "bytes">;

export const changedAppsAnswer = z.object({ apps_changed: z.int(), apps: z.array(effectApp) });
export type ChangedAppsAnswer = z.infer<typeof changedAppsAnswer>;

export const changesAnswer = z
  .object({ items: z.array(changedItem), checks: z.array(check), effect })
  .meta({ id: "Changes" });
export type ChangesAnswer = z.infer<typeof changesAnswer>;

export const changedAppAnswer = z
  .object({
    uuid: z.string(),
    name: z.string(),
    groups_gained: z.array(z.string()),
    groups_lost: z.array(z.string()),
    rights: z.array(rightChange),
    rejected: z.array(rejectedCalls).describe("New permissions of its groups that cars reject"),
    fields: z.array(fieldChange).describe("Of the app's entry in the policy table"),
  })
  .meta({ id: "ChangedApp" });
export type ChangedAppAnswer = z.infer<typeof changedAppAnswer>;

const keptApp = z
  .object({ uuid: z.string(), name: z.string(), id: z.int().describe("The version in production") })
  .meta({ id: "KeptApp" });
export type KeptAppJson = z.infer<typeof keptApp>;
/** What a rollback leaves as it is; also in `data` of a refusal because nothing else differs. */
const keptApps = z.object({
  apps_kept: z
    .array(keptApp)
    .describe("Of a rollback: apps that later releases published, and that keep their version in production"),
});

const rolloutSteps = z.array(
  z.object({ percent: z.number(), hours: z.number().nullable().describe("Null: until somebody goes on") }),
);
const rolloutRequest = {
  steps: rolloutSteps,
  countries: z.array(z.string()).describe("Empty: all"),
  software: z.array(z.string()).describe("Empty: all"),
  hardware: z.array(z.string()).describe("Empty: all"),
};
const requestedRollout = z
  .object(rolloutRequest)
  .nullable()
  .describe("How it is rolled out; null: to all vehicles at once");

const rollout = z
  .object({
    number: z.int(),
    state: z.enum(rolloutStates),
    release: z.int().describe("The release that some vehicles get"),
    before: z.int().describe("The release as of which the other vehicles get production"),
    ...rolloutRequest,
    step: z.int().describe("Which of the steps, from 0"),
    percent: z.number().describe("Of the step"),
    step_since: timestamp.describe("Since when, without pauses"),
    next_at: timestamp.nullable().describe("When the next step begins; null: when somebody goes on"),
    paused_at: timestamp.nullable(),
    paused_because: nullableText,
    brake: z.enum(namesOf(brakeFigures)).nullable().describe("The figure for which the server paused it"),
    author: author.nullable(),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    history: z
      .array(
        z.object({
          act: z.enum(rolloutActs),
          at: timestamp,
          percent: z.number(),
          by: author.nullable().describe("Null: the server itself"),
          because: nullableText,
        }),
      )
      .describe("Oldest first"),
  })
  .meta({ id: "Rollout", description: "A release that only some vehicles get at first" });
export type RolloutJson = z.infer<typeof rollout>;
export const rolloutAnswer = z.object({ rollout: rollout.nullable() });

const approval = z
  .object({
    id: z.int(),
    path: z.string().describe("Page of the console where it is approved"),
    kind: z.enum(approvalKinds),
    title: z.string().describe("The requested change, as a heading"),
    items: z
      .array(z.object({ ...itemMembers, id: z.int(), title: z.string().describe("Its name in the console") }))
      .describe("What was reviewed, by the ids of the records"),
    name: nullableText,
    note: nullableText,
    force: z.boolean(),
    reason: nullableText,
    at: timestamp.nullable().describe("When it is published; null: on approval"),
    returned_to: z.int().nullable().describe("The release that production is rolled back to"),
    rollout: requestedRollout,
    author: author.nullable(),
    asked_at: timestamp,
    void_because: nullableText.describe("Why it can no longer be approved; null: it can"),
    refusal: nullableText.describe("Why the caller must not approve it; null: they may"),
    is_own: z.boolean().describe("The caller has made it, and withdraws it instead of rejecting it"),
    rejected: z
      .object({ by: author.nullable(), reason: z.string(), at: timestamp })
      .nullable()
      .describe("Null: it waits"),
    comments: z
      .array(z.object({ by: author.nullable(), text: z.string(), at: timestamp }))
      .describe("Stored by an earlier version; oldest first"),
  })
  .meta({ id: "ApprovalRequest", description: "A change to production that waits for a second person" });
export type ApprovalJson = z.infer<typeof approval>;
export const approvalsAnswer = z.object({ approvals: z.array(approval) });
export const approvalRequestedAnswer = z.object({ approval });
export const approvalAnswer = changesAnswer
  .extend({ approval, ...keptApps.partial().shape })
  .meta({ id: "ApprovalReview" });
export type ApprovalAnswer = z.infer<typeof approvalAnswer>;

/** Response to a publication or rollback. With `dry_run` it also contains the effect, and nothing is stored. */
export const publishedAnswer = z.object({
  release,
  checks: z.array(check).optional(),
  effect: effect.optional(),
  ...keptApps.partial().shape,
});
export type PublishedAnswer = z.infer<typeof publishedAnswer>;

const scheduled = z
  .object({
    id: z.int(),
    state: z.enum(["waiting", "stopped"]),
    at: timestamp,
    name: nullableText,
    note: nullableText,
    author: author.nullable(),
    items: z.array(z.object({ ...itemMembers, id: z.int() })),
    rollout: requestedRollout,
    stopped_because: nullableText,
  })
  .meta({ id: "ScheduledRelease" });
export type ScheduledReleaseJson = z.infer<typeof scheduled>;
export const scheduledAnswer = z.object({ scheduled: z.array(scheduled) });

export const publicationAnswer = z.union([publishedAnswer, scheduledAnswer, approvalRequestedAnswer]);
export type PublicationAnswer = z.infer<typeof publicationAnswer>;
export const returnedAnswer = z.union([publishedAnswer, approvalRequestedAnswer]);

const approved = z.object({}).describe("A decision about an app");
export const approvedAnswer = z.union([publishedAnswer, scheduledAnswer, approved]);
export type ApprovedAnswer = z.infer<typeof approvedAnswer>;

/** `data` of a refused publication: items that somebody else has saved since they were reviewed. */
export const movedItems = z.object({
  moved: z.array(z.object({ ...itemMembers, author: author.nullable(), at: timestamp.nullable() })),
});
export type MovedItemJson = z.infer<typeof movedItems>["moved"][number];

/** `data` of a refused rollback. */
export const refusedReturn = z.object({ checks: z.array(check), ...keptApps.shape }).partial();

export const freezeAnswer = z.object({
  freeze: z
    .object({ from: timestamp, to: timestamp, reason: z.string(), is_active: z.boolean() })
    .meta({ id: "Freeze" })
    .nullable(),
});
export type FreezeAnswer = z.infer<typeof freezeAnswer>;

const version = z
  .object({
    id: z.int(),
    status: recordStatus,
    release: z.int().nullable(),
    author: author.nullable(),
    at: timestamp,
    is_deleted: z.boolean(),
    summary: z.string().describe("Against the version before"),
  })
  .meta({ id: "ItemVersion" });
export type ItemVersionJson = z.infer<typeof version>;

export const historyAnswer = z.object({ versions: z.array(version), next_cursor: z.int().nullable() });
export type HistoryAnswer = z.infer<typeof historyAnswer>;
export const historyDiffAnswer = z.object({ fields: z.array(fieldChange) });
export const restoredAnswer = z.object({ id: z.int() });
