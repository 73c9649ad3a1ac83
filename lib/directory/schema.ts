/**
 * What the app directory says about an app (`directory.md` 3.1), parsed and repaired. Needed members of a wrong type
 * make a record malformed (rule D5); everything else is repaired (rule D6), because a record that is refused today
 * would be refused for ever.
 */
import { z } from "zod";
import { hmiTextLevels } from "@/lib/policy/vocabulary";

const longestList = 10_000;

/** A text that may be missing; empty, blank or wrong ones count as missing. */
const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => (text === undefined || text === "" ? null : text));
const optionalFlag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((flag) => flag ?? false);
const timestamp = z
  .union([z.string(), z.number(), z.date()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : new Date(value)))
  .transform((date) => (date === null || Number.isNaN(date.getTime()) ? null : date));

/** A list whose unusable elements are dropped. */
const listOf = <T>(element: z.ZodType<T>) =>
  z
    .unknown()
    .optional()
    .transform((value): T[] => {
      if (!Array.isArray(value)) return [];
      return value.slice(0, longestList).flatMap((item) => {
        const parsed = element.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
    });
/** A list of texts, each cut; empty and repeated ones are dropped. */
const textsOf = (longest: number) =>
  listOf(z.string()).transform((texts) => [
    ...new Set(texts.map((text) => text.slice(0, longest)).filter((text) => text !== "")),
  ]);
/** Of elements with equal keys the first is kept, in its place. */
const firstOfEach =
  <T>(keyOf: (item: T) => unknown) =>
  (items: readonly T[]): T[] => {
    const first = new Map<unknown, T>();
    for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
    return [...first.values()];
  };

export const directoryCategory = z.object({ id: z.int(), name: optionalText, display_name: optionalText });
const country = z.object({ iso: z.string().min(1), name: z.string().catch("") });
const permission = z.object({
  key: z.string().min(1),
  hmi_level: z
    .enum(hmiTextLevels)
    .nullish()
    .catch(null)
    .transform((level) => level ?? null),
});
const service = z.object({ name: z.string().min(1), service_names: textsOf(255) });
const locale = z.object({
  locale: z.object({ code: z.string().min(1) }),
  name: optionalText,
  vr_names: textsOf(255),
  tts_chunks: listOf(z.object({ chunk_type: z.string().min(1), chunk_text: z.string().catch("") })),
});

export const directoryApplication = z.object({
  uuid: z.string().min(1).max(36),
  short_uuid: z.string().min(1).max(10).nullish().catch(null),
  name: z.string().min(1),
  platform: z.string().min(1),
  platform_app_id: optionalText,
  status: z.string().min(1),
  version_id: z
    .int()
    .nullish()
    .transform((id) => id ?? null),
  can_background_alert: z.boolean(),
  can_steal_focus: z.boolean(),
  can_manage_widgets: optionalFlag,
  default_hmi_level: z.enum(hmiTextLevels),
  icon_url: optionalText,
  cloud_endpoint: optionalText,
  cloud_transport_type: optionalText,
  ca_certificate: optionalText,
  tech_email: optionalText,
  tech_phone: optionalText,
  min_rpc_version: optionalText,
  min_protocol_version: optionalText,
  developer_version: optionalText,
  transport_type: z
    .enum(["webengine", "websocket"])
    .nullish()
    .catch(null)
    .transform((type) => type ?? null),
  package_url: optionalText,
  entrypoint_path: optionalText,
  icon_path: optionalText,
  description: optionalText.transform((text) => text?.slice(0, 1000) ?? null),
  category: directoryCategory.nullish().catch(null),
  categories: listOf(directoryCategory).transform(firstOfEach(({ id }) => id)),
  vendor: z.object({ name: z.string().catch(""), email: z.string().catch("") }),
  countries: listOf(country).transform(firstOfEach(({ iso }) => iso)),
  display_names: textsOf(100),
  permissions: listOf(permission).transform(firstOfEach(({ key }) => key)),
  services: listOf(service).transform(firstOfEach(({ name }) => name)),
  locales: listOf(locale).transform(firstOfEach(({ locale: { code } }) => code)),
  created_ts: timestamp,
  updated_ts: timestamp,
  deleted_ts: timestamp,
  blacklisted_ts: timestamp,
});
export type DirectoryApplication = z.infer<typeof directoryApplication>;
