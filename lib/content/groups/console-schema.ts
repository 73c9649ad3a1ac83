/** What the addresses of the console's pages about groups can say. Values that mean nothing count as absent. */
import { z } from "zod";
import { exportFormat, filterText, oneOf, pageSize, recordEnvironment } from "@/lib/content/records/query";
import { recordSorts, recordStates } from "@/lib/content/records/listing";
import { queryBoolean, queryEnvironment, queryInteger, queryText, taking } from "@/lib/platform/zod/query";
import { grantKinds } from "@/lib/labels/group-flags";
import { hmiLevels } from "@/lib/labels/vocabulary";

const longestText = 255;

/** Query of `/functionalgroups` and of the export of what it shows. */
export const groupListMembers = {
  environment: queryEnvironment("staging"),
  state: queryText().pipe(z.enum(recordStates)).catch("all"),
  /** Part of name, description or prompt, or of an RPC or parameter within the group. */
  q: filterText(longestText),
  /** An RPC and a parameter that the group must hold, in full; both: within one another. */
  rpc: filterText(longestText),
  param: filterText(longestText),
  /** A level at which the group must allow something: what is searched for, if anything is. */
  level: oneOf(hmiLevels),
  grant: oneOf(grantKinds),
  prompt: oneOf(["with", "without"] as const),
  encryption: oneOf(["required"] as const),
  sort: queryText().pipe(z.enum(recordSorts)).catch("name"),
} as const;

const place = queryInteger()
  .transform((after) => Math.max(0, after ?? 0))
  .catch(0);

export const groupListQuery = z.object({
  ...groupListMembers,
  size: pageSize,
  /** How many groups stand before the page; beyond the end it is the last page. */
  after: place,
  /** How many RPCs stand before the part of the matrix that is shown. */
  rows: place,
  /** What stands in place of the list. */
  panel: oneOf(["unmapped"] as const),
  /** The groups of the list as a matrix: which allows which RPC at which levels. */
  view: oneOf(["matrix"] as const),
  /** Which of the unmapped permissions: those of staging, or those that wait for a promotion. */
  unmapped: oneOf(["staging", "promote"] as const),
});

export type GroupListQuery = Omit<z.output<typeof groupListQuery>, "size"> & {
  readonly size: number;
  /** Page size of an address that names none; by default that of whoever has not chosen. */
  readonly defaultSize?: number | undefined;
};

/** Query of `/functionalgroups/manage`: a new group without `id` and `name`, filled from `from`. */
export const groupPageQuery = z.object({
  id: queryInteger().nullable().catch(null),
  name: filterText(longestText),
  from: queryInteger().catch(undefined),
  environment: recordEnvironment,
});
export type GroupPageQuery = z.output<typeof groupPageQuery>;

const sentence = "id must be a list of integers";

/** Query of `GET ui/groups/promotion/effect`: ids separated by commas; none: all that is not in production. */
export const promotionQuery = z.object({
  id: queryText()
    .transform((value) => (value === undefined || value === "" ? undefined : value.split(",")))
    .pipe(
      z
        .array(
          z
            .string()
            .regex(/^\d{1,15}$/, sentence)
            .transform(Number),
        )
        .optional(),
    ),
});

/** Query of `GET ui/groups/body`; `gone` asks for a group whose deletion is in production as well. */
export const groupBodyQuery = z.object({
  name: taking(queryText().pipe(z.string("name is missing")), z.string()),
  gone: queryBoolean(),
});

/** Query of `GET ui/groups/export`: the list's, read in the same way, without its pages. */
export const exportGroupsQuery = z.object({
  ...groupListMembers,
  format: exportFormat,
});
