/** What is read of the answers of an sdl_server (`api.md`); members that are not named here are not read. */
import { z } from "zod";
import { recordOf } from "@/lib/words/members";

const id = z.int();
const name = z.string();
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const status = z.enum(["STAGING", "PRODUCTION"]);
/** A number or a flag, which that server sends as text. */
const anyScalar = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : String(value)));
const listed = z.object({ id });

const rpc = z.object({
  name,
  hmi_levels: z.array(z.object({ value: name, selected: z.boolean() })),
  parameters: z.array(z.object({ key: name, selected: z.boolean() })),
});

/** A functional group with its RPCs; its flags are those of a row. */
const group = z.looseObject({ id, name, status, user_consent_prompt: optionalText, rpcs: z.array(rpc) });
/** The same without RPCs, but with times and the prompt as it is stored. */
const groupOfApp = z.object({
  id,
  property_name: name,
  user_consent_prompt: optionalText,
  created_ts: name,
  updated_ts: name,
  is_selected: z.boolean(),
});

const text = z.object({
  id,
  language_id: name,
  selected: z.boolean(),
  ...{ line1: optionalText, line2: optionalText, tts: optionalText, text_body: optionalText, label: optionalText },
});
const message = z.object({
  id,
  message_category: name,
  status,
  created_ts: name,
  updated_ts: name,
  is_deleted: z.boolean(),
  languages: z.array(text),
});

const moduleConfig = z.object({
  id,
  status,
  exchange_after_x_ignition_cycles: z.int(),
  exchange_after_x_kilometers: z.int(),
  exchange_after_x_days: z.int(),
  timeout_after_x_seconds: z.int(),
  seconds_between_retries: z.array(z.int()),
  endpoints: z.record(z.string(), optionalText),
  endpoint_properties: z.record(z.string(), z.record(z.string(), anyScalar)).nullish(),
  lock_screen_dismissal_enabled: z.boolean(),
  notifications_per_minute_by_priority: z.record(z.string(), z.int()),
  subtle_notifications_per_minute_by_priority: z.record(z.string(), z.int()),
  certificate: optionalText,
  private_key: optionalText,
  expiration_ts: optionalText,
});
export type ModuleConfigAnswer = z.output<typeof moduleConfig>;

/** An item with those inside it; declared, because it refers to itself. */
export interface VehicleDataAnswer {
  readonly id: number;
  readonly created_ts: string | null;
  readonly updated_ts: string | null;
  readonly params?: readonly VehicleDataAnswer[] | null | undefined;
}
const limits = ["min_length", "max_length", "min_size", "max_size", "min_value", "max_value"] as const;
const vehicleDataItem: z.ZodType<VehicleDataAnswer> = z.object({
  id,
  status,
  name,
  type: optionalText,
  key: optionalText,
  mandatory: anyScalar,
  array: anyScalar,
  ...recordOf(limits, () => anyScalar),
  is_deleted: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  created_ts: optionalText,
  updated_ts: optionalText,
  get params() {
    return z.array(vehicleDataItem).nullish();
  },
});

const service = z.object({
  name,
  display_name: optionalText,
  service_names: z.array(name),
  permissions: z.array(z.object({ name, is_selected: z.boolean() })),
});
/** A version of an app; what is not named here goes to the parser of the app directory's answers as it is. */
const application = z.looseObject({
  id,
  uuid: name,
  short_uuid: z.unknown(),
  version_id: z.int().nullish(),
  approval_status: name,
  denial_message: optionalText,
  category_id: z.int().nullish(),
  size_compressed_bytes: z.int().nullish(),
  size_decompressed_bytes: z.int().nullish(),
  categories: z.array(z.object({ id, display_name: optionalText })),
  countries: z.array(z.object({ iso: name, name })),
  display_names: z.array(name),
  permissions: z.array(z.object({ key: name, hmi_level: optionalText })),
  services: z.array(service),
  is_auto_approved_enabled: z.boolean(),
  is_administrator_app: z.boolean(),
  is_blacklisted: z.boolean(),
  blacklisted_ts: optionalText,
  allow_unknown_rpc_passthrough: z.boolean(),
  hybrid_app_preference: optionalText,
  certificate: optionalText,
});
export type ApplicationAnswer = z.output<typeof application>;

/** An app that is granted something; others are a word, or null. */
const entry = z.object({ AppHMIType: z.array(name), hybrid_app_preference: z.string().optional() });
export type TableEntry = z.output<typeof entry>;

const allowed = z.object({ hmi_levels: z.array(name).nullish(), parameters: z.array(name).nullish() });
const groupings = z.record(z.string(), z.object({ rpcs: z.record(z.string(), allowed).nullish() }));
/** Tables tell what no other route does: RPCs that the other server hides, and the HMI types of apps. */
const preview = z.tuple([z.object({ policy_table: z.object({ functional_groupings: groupings }) })]);
const segment = z.tuple([z.object({ policy_table: z.object({ app_policies: z.record(z.string(), z.unknown()) }) })]);

/** The shapes of `data`, by what is asked for. */
export const answers = {
  groupIds: z.object({ groups: z.array(listed) }),
  messageIds: z.object({ messages: z.array(listed) }),
  groups: z.object({ groups: z.array(group) }),
  groupsOfApp: z.object({ groups: z.array(groupOfApp) }),
  messages: z.object({ messages: z.array(message) }),
  moduleConfigs: z.object({ module_configs: z.array(moduleConfig) }),
  vehicleData: z.object({ custom_vehicle_data: z.array(vehicleDataItem) }),
  applications: z.object({ applications: z.array(application) }),
  preview,
  segment,
  entry,
  container: z.object({ certificate: name }),
};

/**
 * Reads an answer by its shape.
 *
 * @param path for the sentence
 * @throws Error when the answer is not that of an sdl_server
 */
export function readAnswer<T>(shape: z.ZodType<T>, data: unknown, path: string): T {
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const member = issue?.path.map(String).join(".") ?? "";
  throw new Error(`${path} is not answered as an sdl_server does: ${member} ${issue?.message ?? ""}`);
}
