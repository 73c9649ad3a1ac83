import { type GroupRecord } from "@/lib/groups/rules";
import { toSaveBody } from "@/lib/groups/wire";
import { type CsvValue } from "@/lib/http/csv";
import { describeState, type ExportForm } from "@/lib/records/export";
import { listGrants } from "@/lib/words/group-flags";
import { hmiLevels } from "@/lib/words/vocabulary";

const columns: readonly (readonly [name: string, read: (record: GroupRecord) => CsvValue])[] = [
  ["group", ({ name }) => name],
  ["description", ({ description }) => description],
  ["status", describeState],
  ["grants", (record) => listGrants(record).join("; ")],
  ["user_consent_prompt", ({ userConsentPrompt }) => userConsentPrompt],
  ["encryption_required", ({ encryptionRequired }) => encryptionRequired],
];

/** Groups as files: a table with one line for each RPC, or bodies that `POST groups` takes. */
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
