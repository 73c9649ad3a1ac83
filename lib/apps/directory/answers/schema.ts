/**
 * `directory.md` 3.1. Wrong required members make a record malformed (rule D5); the rest is repaired (rule D6), because
 * a refused record would be refused forever.
 */
import { z } from "zod";
import { cutText } from "@/lib/policy/head-unit/entry-limits";
import { isWholeText } from "@/lib/vocabulary/whole-text";
import { hmiTextLevels } from "@/lib/vocabulary/terms";

const longestList = 10_000;

/** An optional member; an invalid one counts as missing. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
/** In UTF-16 code units. A longer address counts as missing, because a part means something else. */
const longest = { text: 1_000, address: 2_000 };
/** A lone surrogate would come back from the database as a different text. */
const cut = (text: string) => text.slice(0, longest.text).toWellFormed();
/** An optional text; empty or invalid ones count as missing. */
const anyText = optional(z.string()).transform((text) => text || null);
const optionalText = anyText.transform((text) => text && cut(text));
const address = anyText.transform((text) => (text && text.length <= longest.address ? text.toWellFormed() : null));
const wholeText = z.string().min(1).transform(cut);
const timestamp = optional(z.union([z.string(), z.number(), z.date()]))
  .transform((value) => (value === null ? null : new Date(value)))
  .transform((date) => (date === null || Number.isNaN(date.getTime()) ? null : date));

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
const texts = listOf(z.string()).transform((all) => [...new Set(all.filter((text) => text !== ""))]);
/** Each cut to a number of bytes. */
const textsOf = (longest: number) => texts.transform((all) => [...new Set(all.map((text) => cutText(text, longest)))]);
const firstOfEach =
  <T>(keyOf: (item: T) => unknown) =>
  (items: readonly T[]): T[] => {
    const first = new Map<unknown, T>();
    for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
    return [...first.values()];
  };

/* Texts that reach an entry of a policy table are cut later, where this can be reported with the app. */
export const directoryCategory = z.object({ id: z.int(), name: anyText, display_name: optionalText });
const looseText = z.string().catch("").transform(cut);
const country = z.object({ iso: wholeText, name: looseText });
const permission = z.object({ key: wholeText, hmi_level: optional(z.enum(hmiTextLevels)) });
const service = z.object({ name: z.string().min(1), service_names: texts });
const locale = z.object({
  locale: z.object({ code: wholeText }),
  name: optionalText,
  vr_names: textsOf(255),
  tts_chunks: listOf(z.object({ chunk_type: wholeText, chunk_text: looseText })),
});

export const directoryApplication = z.object({
  uuid: z.string().min(1).max(36).refine(isWholeText),
  short_uuid: z.string().min(1).max(10).refine(isWholeText).nullish().catch(null),
  name: wholeText,
  platform: wholeText,
  platform_app_id: optionalText,
  status: wholeText,
  version_id: z
    .int()
    .nullish()
    .transform((id) => id ?? null),
  can_background_alert: z.boolean(),
  can_steal_focus: z.boolean(),
  can_manage_widgets: optional(z.boolean()).transform((flag) => flag ?? false),
  default_hmi_level: z.enum(hmiTextLevels),
  icon_url: anyText,
  cloud_endpoint: anyText,
  cloud_transport_type: anyText,
  ca_certificate: anyText,
  tech_email: optionalText,
  tech_phone: optionalText,
  min_rpc_version: optionalText,
  min_protocol_version: optionalText,
  developer_version: optionalText,
  transport_type: optional(z.enum(["webengine", "websocket"])),
  package_url: address,
  entrypoint_path: address,
  icon_path: address,
  description: optionalText,
  category: directoryCategory.nullish().catch(null),
  categories: listOf(directoryCategory).transform(firstOfEach(({ id }) => id)),
  vendor: z.object({ name: looseText, email: looseText }),
  countries: listOf(country).transform(firstOfEach(({ iso }) => iso)),
  display_names: texts,
  permissions: listOf(permission).transform(firstOfEach(({ key }) => key)),
  services: listOf(service).transform(firstOfEach(({ name }) => name)),
  locales: listOf(locale).transform(firstOfEach(({ locale: { code } }) => code)),
  created_ts: timestamp,
  updated_ts: timestamp,
  deleted_ts: timestamp,
  blacklisted_ts: timestamp,
});
export type DirectoryApplication = z.infer<typeof directoryApplication>;
