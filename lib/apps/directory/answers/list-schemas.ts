/** `directory.md` 3.3 to 3.6. Invalid optional members are repaired; elements without required ones are left out. */
import { z } from "zod";
import { cutText } from "@/lib/policy/head-unit/entry-limits";
import { greatestInteger } from "@/lib/policy/head-unit/values";
import { permissionTypes } from "@/lib/vocabulary/terms";

const longestInnerList = 10_000;
const longestText = 255;

/** A lone surrogate would come back from the database as a different text. */
const whole = (text: string) => text.toWellFormed();
/** An optional text: empty or invalid ones count as missing, long ones are cut. */
const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => (text ? cutText(text, longestText) : null));
const name = z.string().min(1).max(longestText).transform(whole);
const permissionKey = z.string().min(1).max(64).transform(whole);
const keyed = z.object({ key: permissionKey });
/** The distinct keys of a list of `{ key }`; elements without one are dropped. */
const keys = z
  .unknown()
  .optional()
  .transform((list): string[] => {
    if (!Array.isArray(list)) return [];
    const found = list.slice(0, longestInnerList).flatMap((element) => keyed.safeParse(element).data?.key ?? []);
    return [...new Set(found)];
  });

export const listedCategory = z
  .object({ id: z.int(), name: z.string().min(1).max(longestText), display_name: optionalText })
  .transform(({ display_name, ...rest }) => ({ ...rest, displayName: display_name }));
/** `name` is the HMI type in the policy table, e.g. MEDIA. */
export type DirectoryCategory = z.infer<typeof listedCategory>;

export const listedPermission = z
  .object({
    key: permissionKey,
    type: z.enum(permissionTypes),
    name: optionalText,
    function_id: z.int().min(0).max(greatestInteger).nullish().catch(null),
    parent_permissions: keys,
  })
  .transform(({ key, type, name: displayName, function_id, parent_permissions }) => ({
    key,
    type,
    displayName,
    functionId: function_id ?? null,
    parents: parent_permissions,
  }));
export type DirectoryPermission = z.infer<typeof listedPermission>;

export const listedService = z
  .object({ name: z.string().min(1).max(longestText), display_name: optionalText, permissions: keys })
  .transform(({ display_name, ...rest }) => ({ ...rest, displayName: display_name ?? rest.name }));

export const listedCountry = z.object({ iso: name, name: optionalText });
