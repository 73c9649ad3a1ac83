/** The document of an exchange (`exchange.md` X1), and what its routes take. */
import { z } from "zod";
import { groupFlags } from "@/lib/labels/group-flags";
import { recordOf, snakeName } from "@/lib/labels/members";
import {
  approvalStatuses,
  environments,
  hmiLevels,
  hybridPreferences,
  messageTextFields,
  notificationPriorities,
  storedEndpoints,
} from "@/lib/labels/vocabulary";

export const exchangeFormat = "open-policy/1";

/** Says which member is none of its own: what is misspelt in a file must not be passed over. */
const knownMembers = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === "unrecognized_keys" ? `has the unknown member ${issue.keys.join(", ")}` : undefined,
};
const strict = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, knownMembers);
const name = z.string().min(1);
const optionalFlags = <Name extends string>(names: readonly Name[]) => recordOf(names, () => z.boolean().optional());

const rpc = strict({
  name,
  hmi_levels: z.array(z.enum(hmiLevels)),
  parameters: z.array(name).optional().describe("Native and custom ones; not given: no limit"),
});
/** A functional group; members that are not given are false, or not there. */
export const groupItem = strict({
  name,
  description: z.string().optional(),
  user_consent_prompt: name.optional().describe("Category of the message that asks the driver"),
  ...optionalFlags(groupFlags.map(snakeName)),
  rpcs: z.array(rpc),
}).meta({ id: "ExchangeGroup" });
export type GroupItem = z.output<typeof groupItem>;

const texts = strict(recordOf(messageTextFields.map(snakeName), () => z.string().optional()));
/** A consumer message with its texts by language. */
export const messageItem = strict({
  message_category: name,
  languages: z.record(z.string().regex(/^[a-z]{2}-[a-z]{2}$/), texts),
}).meta({ id: "ExchangeMessage" });
export type MessageItem = z.output<typeof messageItem>;

const limit = z.number().optional();
/** An item of custom vehicle data with those inside it; declared, because it refers to itself. */
export interface VehicleDataItem {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly mandatory?: boolean | undefined;
  readonly array?: boolean | undefined;
  readonly min_length?: number | undefined;
  readonly max_length?: number | undefined;
  readonly min_size?: number | undefined;
  readonly max_size?: number | undefined;
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly params?: readonly VehicleDataItem[] | undefined;
}
export const vehicleDataItem: z.ZodType<VehicleDataItem> = z
  .strictObject(
    {
      name,
      key: name,
      type: name,
      mandatory: z.boolean().optional(),
      array: z.boolean().optional(),
      min_length: limit,
      max_length: limit,
      min_size: limit,
      max_size: limit,
      min_value: limit,
      max_value: limit,
      get params() {
        return z.array(vehicleDataItem).optional();
      },
    },
    knownMembers,
  )
  .meta({ id: "ExchangeVehicleData" });

const counts = strict(recordOf(notificationPriorities, () => z.int()));
/** The module config without certificate and key, which are no matter of files: those that are stored stay. */
export const moduleConfigItem = strict({
  exchange_after_x_ignition_cycles: z.int(),
  exchange_after_x_kilometers: z.int(),
  exchange_after_x_days: z.int(),
  timeout_after_x_seconds: z.int(),
  seconds_between_retries: z.array(z.int()),
  endpoints: strict(recordOf(storedEndpoints, () => z.string())),
  endpoint_properties: z.array(strict({ endpoint: z.enum(storedEndpoints), name, value: z.string() })).optional(),
  lock_screen_dismissal_enabled: z.boolean().optional(),
  notifications_per_minute_by_priority: counts,
  subtle_notifications_per_minute_by_priority: counts,
}).meta({ id: "ExchangeModuleConfig" });

const appVersion = strict({
  version: z.int().nullable().describe("Number of the version in the app directory"),
  approval_status: z.enum(approvalStatuses),
  denial_message: z.string().optional(),
  encryption_required: z.boolean().optional(),
  groups: z.array(name).optional().describe("Proprietary groups granted by hand"),
  services: z.array(strict({ name, permissions: z.array(name) })).optional(),
});
/** What was decided about an app; the app itself comes from the app directory. */
export const appItem = strict({
  uuid: name,
  is_auto_approved_enabled: z.boolean().optional(),
  is_administrator_app: z.boolean().optional(),
  allow_unknown_rpc_passthrough: z.boolean().optional(),
  is_blacklisted: z.boolean().optional(),
  hybrid_preference: z.enum(hybridPreferences).optional(),
  versions: z.array(appVersion),
}).meta({ id: "ExchangeApp" });
export type AppItem = z.output<typeof appItem>;
export type AppVersionItem = AppItem["versions"][number];

/** Of groups, messages and vehicle data each. A head unit takes 255 groups; more in staging than this is a mistake. */
const maxItems = 1_000;

/** All of it; what is not mentioned is not touched by an import. */
export const exchangeDocument = strict({
  format: z.literal(exchangeFormat),
  groups: z.array(groupItem).max(maxItems).optional(),
  messages: z.array(messageItem).max(maxItems).optional(),
  vehicle_data: z.array(vehicleDataItem).max(maxItems).optional(),
  module_config: moduleConfigItem.optional(),
  apps: z.array(appItem).optional(),
}).meta({ id: "ExchangeDocument" });
export type ExchangeDocument = z.output<typeof exchangeDocument>;

const flag = z.boolean("must be true or false").default(false);
/** Body of `POST exchange` (X2a). */
export const importBody = z.object({
  document: exchangeDocument,
  prune: flag.describe("What the document does not mention is deleted; never apps, never the module config"),
  dry_run: flag.describe("Only tells what would be done"),
});
export type ImportBody = z.output<typeof importBody>;

const oneView = "Give environment or release, not both";
/** Query of `GET exchange` (X2a). */
export const exportQuery = z
  .object({
    environment: z.enum(environments, "environment must be staging or production").optional(),
    release: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, "release must be the number of a release")
      .transform(Number)
      .optional(),
  })
  .refine(({ environment, release }) => environment === undefined || release === undefined, oneView);
export type ExportQuery = z.output<typeof exportQuery>;
