import { z } from "zod";
import type { GroupRecord } from "@/lib/records/groups/rules";
import { toSaveBody } from "@/lib/records/groups/wire";
import type { CsvValue } from "@/lib/platform/http/csv";
import {
  canonical,
  describeState,
  type ExportForm,
  type FileForm,
  filledName,
  itemName,
  listOf,
  membersOf,
  strict,
} from "@/lib/records/store/file-form";
import { groupFlags, listGrants } from "@/lib/vocabulary/group-flags";
import { recordOf, snakeName } from "@/lib/vocabulary/members";
import { hmiLevels } from "@/lib/vocabulary/terms";

const rpc = strict({
  name: filledName,
  hmi_levels: z.array(z.enum(hmiLevels)),
  parameters: z.array(filledName).optional().describe("Native and custom ones; not given: no limit"),
});
/** A functional group. Missing flags are false. */
export const groupItem = strict({
  name: itemName,
  description: z.string().optional(),
  user_consent_prompt: filledName.optional().describe("Category of the message that asks the driver"),
  ...recordOf(groupFlags.map(snakeName), () => z.boolean().optional()),
  rpcs: z.array(rpc),
}).meta({ id: "ExchangeGroup" });
export type GroupItem = z.output<typeof groupItem>;

export const groupFile = {
  member: "groups",
  place: "groups",
  schema: groupItem,
  keyOf: ({ name }) => name,
  itemOf: (body) => {
    const { is_deleted: _, rpcs, ...rest } = membersOf(body);
    return canonical({
      ...rest,
      rpcs: listOf(rpcs).map(({ name, hmi_levels, parameters }) => ({
        name,
        hmi_levels: listOf(hmi_levels).map(({ value }) => value),
        parameters: listOf(parameters).map(({ key }) => key),
      })),
    });
  },
  bodyOf: ({ rpcs, ...rest }) => {
    const selected = true;
    return {
      ...rest,
      is_default: rest.is_default ?? false,
      rpcs: rpcs.map(({ name, hmi_levels, parameters = [] }) => ({
        name,
        selected,
        hmi_levels: hmi_levels.map((value) => ({ value, selected })),
        parameters: parameters.map((key) => ({ key, selected })),
      })),
    };
  },
} as const satisfies FileForm<GroupItem>;

const columns: readonly (readonly [name: string, read: (record: GroupRecord) => CsvValue])[] = [
  ["group", ({ name }) => name],
  ["description", ({ description }) => description],
  ["status", describeState],
  ["grants", (record) => listGrants(record).join("; ")],
  ["user_consent_prompt", ({ userConsentPrompt }) => userConsentPrompt],
  ["encryption_required", ({ encryptionRequired }) => encryptionRequired],
];

export const groupFiles: ExportForm<GroupRecord> = {
  name: "functional-groups",
  member: "groups",
  toBody: toSaveBody,
  columns: [...columns.map(([name]) => name), "rpc", "hmi_levels", "parameters"],
  lines: (record) => {
    const cells = columns.map(([, read]) => read(record));
    if (record.rpcs.length === 0) return [[...cells, null, null, null]];
    return record.rpcs.map(({ name, levels, parameters }) => {
      const ordered = hmiLevels.filter((level) => levels.includes(level));
      return [...cells, name, ordered.join("; "), parameters.join("; ")];
    });
  },
};
