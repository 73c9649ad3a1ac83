/** Input of the application routes (`api.md` sections 3 to 5). Safe in the browser. */
import { z } from "zod";
import { bodyId, filledText, queryBoolean, queryEnvironment, queryInteger, taking } from "@/lib/platform/zod/query";
import { visibleText } from "@/lib/platform/zod/refusing";
import { forceMember, pagingParameters } from "@/lib/records/store/query";
import { appPriorities, approvalStatuses, hybridPreferences } from "@/lib/vocabulary/terms";

const longestSearch = 100;

/** `-` is descending. */
export const applicationSorts = ["id", "-id", "name", "-name", "updated_ts", "-updated_ts"] as const;

/** Query of `GET applications`; `limit`, `cursor`, `search` and `sort` are extensions. */
export const listApplicationsQuery = z.object({
  id: queryInteger(),
  uuid: filledText(),
  approval_status: filledText().pipe(
    z.enum(approvalStatuses, { error: "approval_status has an unknown value" }).optional(),
  ),
  get_blacklist: queryBoolean(),
  limit: pagingParameters.limit,
  cursor: pagingParameters.cursor,
  search: taking(
    filledText().refine((text) => text === undefined || isSearchable(text), {
      error: `search must have at most ${longestSearch} characters and no control characters`,
    }),
    z.string().max(longestSearch).optional(),
  ),
  sort: filledText().pipe(
    z.enum(applicationSorts, { error: `sort must be one of ${applicationSorts.join(", ")}` }).default("id"),
  ),
});
export type ListApplicationsQuery = z.output<typeof listApplicationsQuery>;

export function selectsOne({ id, uuid }: ListApplicationsQuery): boolean {
  return id !== undefined || uuid !== undefined;
}

/** A regular expression in MongoDB must not contain NUL, and nobody types other control characters. */
function isSearchable(text: string): boolean {
  return text.length <= longestSearch && !/\p{Cc}/u.test(text);
}

/** A required, non-empty member; its value is validated afterwards. */
const given = (error: string) =>
  z.unknown().refine((value) => value !== undefined && value !== null && value !== "", { error });

const actionSentence = "id and approval_status are required";
/** Body of `POST applications/action`. `version_id` is accepted but ignored in favor of the stored value. */
export const actionBody = z.looseObject({ id: given(actionSentence), approval_status: given(actionSentence) }).pipe(
  z.object({
    id: bodyId,
    approval_status: z.enum(approvalStatuses, { error: "approval_status has an unknown value" }),
    denial_message: z
      .string({ error: "denial_message must be a string or null" })
      .superRefine(visibleText("denial_message", true))
      .nullish(),
    blacklist: z.boolean({ error: "blacklist must be true or false" }).optional(),
    uuid: z.string({ error: "uuid must be a string" }).nullish(),
    force: forceMember,
  }),
);
export type ActionBody = z.output<typeof actionBody>;

const flagBody = <Name extends string>(name: Name) => {
  const error = `uuid (string) and ${name} (boolean) are required`;
  // A computed name loses its type in an object literal.
  const flag = { [name]: z.boolean({ error }) } as { [member in Name]: z.ZodBoolean };
  return z.object({ uuid: z.string({ error }).min(1, { error }), ...flag });
};
export const autoBody = flagBody("is_auto_approved_enabled");
export const administratorBody = flagBody("is_administrator_app");
export const passthroughBody = flagBody("allow_unknown_rpc_passthrough");

const hybridSentence = "uuid (string) and hybrid_preference (CLOUD, MOBILE or BOTH) are required";
export const hybridBody = z.object({
  uuid: z.string({ error: hybridSentence }).min(1, { error: hybridSentence }),
  hybrid_preference: z.enum(hybridPreferences, { error: hybridSentence }),
});

const prioritySentence =
  "uuid (string) and priority (EMERGENCY, NAVIGATION, VOICECOM, COMMUNICATION, NORMAL or NONE) are required";
export const priorityBody = z.object({
  uuid: z.string({ error: prioritySentence }).min(1, { error: prioritySentence }),
  priority: z.enum(appPriorities, { error: prioritySentence }),
});

const encryptionSentence = "id and encryption_required (boolean) are required";
export const encryptionBody = z
  .looseObject({ id: given(encryptionSentence), encryption_required: z.boolean({ error: encryptionSentence }) })
  .pipe(z.object({ id: bodyId, encryption_required: z.boolean() }));

const servicePermissionSentence =
  "id, is_selected (boolean), service_type_name (string) and permission_name (string) are required";
const servicePermissionText = z
  .string({ error: servicePermissionSentence })
  .min(1, { error: servicePermissionSentence });
export const servicePermissionBody = z
  .looseObject({
    id: given(servicePermissionSentence),
    is_selected: z.boolean({ error: servicePermissionSentence }),
    service_type_name: servicePermissionText,
    permission_name: servicePermissionText,
  })
  .pipe(z.object({ id: bodyId, is_selected: z.boolean(), service_type_name: z.string(), permission_name: z.string() }));
export type ServicePermissionBody = z.output<typeof servicePermissionBody>;

export const applicationGroupsQuery = z.object({
  app_id: queryInteger(),
  environment: queryEnvironment("staging"),
  /** Undefined: no filter. */
  is_proprietary_group: queryBoolean().unwrap().optional(),
});
export type ApplicationGroupsQuery = z.output<typeof applicationGroupsQuery>;

const grantSentence = "app_id, is_selected (boolean) and property_name (string) are required";
export const groupGrantBody = z
  .looseObject({
    app_id: given(grantSentence),
    is_selected: z.boolean({ error: grantSentence }),
    property_name: z.string({ error: grantSentence }).min(1, { error: grantSentence }),
  })
  .pipe(z.object({ app_id: bodyId, is_selected: z.boolean(), property_name: z.string() }));
export type GroupGrantBody = z.output<typeof groupGrantBody>;
