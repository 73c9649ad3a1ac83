import { z } from "zod";
import { queryEnvironment, queryText, queryWord } from "@/lib/platform/zod/query";
import { coreVersions } from "@/lib/vocabulary/head-units";
import { environments } from "@/lib/vocabulary/terms";

export const policyTabs = ["table", "vehicle"] as const;
export type PolicyTab = (typeof policyTabs)[number];

/** An environment, or the number of a release (`releases.md` L3). */
export type TableSource = string;

const longestText = 500;
const longestList = 4000;
const text = (longest = longestText) =>
  queryText()
    .transform((value) => (value !== undefined && value !== "" && value.length <= longest ? value : undefined))
    .catch(undefined);

export function isTableSource(value: string): boolean {
  return environments.some((name) => name === value) || /^[1-9]\d{0,8}$/.test(value);
}

export const policyTableQuery = z.object({
  tab: z.enum(policyTabs).default("table").catch("table"),
  environment: queryEnvironment("staging"),
  path: text(),
  q: text(),
  of: queryText()
    .transform((value) => (value !== undefined && isTableSource(value) ? value : undefined))
    .catch(undefined),
  ids: z.literal("short").optional().catch(undefined),
  head_unit: queryWord("head_unit", coreVersions).catch(undefined),
  apps: text(longestList),
});
