/** Query parameters of the console's group pages. Invalid values count as absent. */
import { z } from "zod";
import {
  exportFormat,
  filterText,
  listMembers,
  oneOf,
  pageSizeParameter,
  placeParameter,
  recordEnvironment,
} from "@/lib/records/store/query";
import { queryInteger, queryText } from "@/lib/platform/zod/query";
import { grantKinds } from "@/lib/vocabulary/group-flags";
import { hmiLevels } from "@/lib/vocabulary/terms";

const longestText = 255;

const filterMembers = {
  /** `q`: part of name, description or prompt, or of an RPC or parameter within the group. */
  ...listMembers,
  /** Full names of an RPC and a parameter that the group must contain; given both, the parameter within the RPC. */
  rpc: filterText(longestText),
  param: filterText(longestText),
  /** A level at which the group must allow something; with a search, the match itself. */
  level: oneOf(hmiLevels),
  grant: oneOf(grantKinds),
  prompt: oneOf(["with", "without"] as const),
  encryption: oneOf(["required"] as const),
} as const;

export const groupListQuery = z.object({
  ...filterMembers,
  size: pageSizeParameter,
  after: placeParameter,
  panel: oneOf(["unmapped"] as const),
  unmapped: oneOf(["staging", "promote"] as const),
});

export type GroupListQuery = Omit<z.output<typeof groupListQuery>, "size"> & {
  readonly size: number;
  readonly defaultSize?: number | undefined;
};

/** Query of `/functionalgroups/manage`. Without `id` and `name` it is a new group, filled from `from`. */
export const groupPageQuery = z.object({
  id: queryInteger().nullable().catch(null),
  name: filterText(longestText),
  from: queryInteger().catch(undefined),
  environment: recordEnvironment,
});
export type GroupPageQuery = z.output<typeof groupPageQuery>;

const sentence = "id must be a list of integers";

/** Query of `GET ui/groups/promotion/effect`: ids separated by commas. None means everything not in production. */
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

export const exportGroupsQuery = z.object({
  ...filterMembers,
  format: exportFormat,
});
