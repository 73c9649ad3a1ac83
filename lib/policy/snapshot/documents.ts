/**
 * Stored documents as the policy compiler reads them. Parsing is strict about what a rule uses and blind to the rest;
 * a document that fails is left out of the table and reported (rule G5).
 */
import { z } from "zod";
import {
  type SnapshotGroup,
  type SnapshotMessage,
  type SnapshotModuleConfig,
  type SnapshotPermission,
  type SnapshotRpcSpec,
} from "@/lib/policy/table/snapshot";
import { groupFlags } from "@/lib/words/group-flags";
import { recordOf } from "@/lib/words/members";
import {
  hmiLevels,
  messageTextFields,
  notificationPriorities,
  permissionTypes,
  recordStatuses,
  storedEndpoints,
} from "@/lib/words/vocabulary";

export const recordId = z.int().positive();
const status = z.enum(recordStatuses);
const name = z.string().min(1);
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

export const groupDocument = z
  .object({
    _id: recordId,
    name,
    status,
    isDeleted: z.boolean(),
    ...recordOf(groupFlags, () => z.boolean()),
    userConsentPrompt: optionalText,
    rpcs: z.array(z.object({ name, levels: z.array(z.enum(hmiLevels)), parameters: z.array(z.string()) })),
  })
  .transform(({ _id, ...group }): SnapshotGroup => ({ id: _id, ...group }));

const texts = z.object(
  Object.fromEntries(messageTextFields.map((field) => [field, optionalText])) as {
    [field in (typeof messageTextFields)[number]]: typeof optionalText;
  },
);

export const messageDocument = z
  .object({
    _id: recordId,
    category: name,
    status,
    isDeleted: z.boolean(),
    languages: z.array(texts.extend({ languageId: name })),
  })
  .transform(({ _id, ...message }): SnapshotMessage => ({ id: _id, ...message }));

const notifications = z.record(z.enum(notificationPriorities), z.number());

export const moduleConfigDocument = z
  .object({
    _id: recordId,
    status,
    exchangeAfterXIgnitionCycles: z.number(),
    exchangeAfterXKilometers: z.number(),
    exchangeAfterXDays: z.number(),
    timeoutAfterXSeconds: z.number(),
    secondsBetweenRetries: z.array(z.number()),
    lockScreenDismissalEnabled: z.boolean(),
    endpoints: z.record(z.enum(storedEndpoints), z.string()),
    endpointProperties: z.array(z.object({ endpoint: z.enum(storedEndpoints), name, value: z.string() })),
    notificationsPerMinute: notifications,
    subtleNotificationsPerMinute: notifications,
    certificate: optionalText,
    privateKey: optionalText,
  })
  .transform(({ _id, ...config }): SnapshotModuleConfig => ({ id: _id, ...config }));

const history = { since: z.string().nullable().exactOptional(), until: z.string().nullable().exactOptional() };
const yesNo = z.boolean().nullable().exactOptional();
const limit = z.number().nullable().exactOptional();
const rpcParam = z.object({
  name,
  type: name,
  ...history,
  deprecated: yesNo,
  removed: yesNo,
  mandatory: yesNo,
  minlength: limit,
  maxlength: limit,
  minsize: limit,
  maxsize: limit,
  minvalue: limit,
  maxvalue: limit,
  array: yesNo,
  platform: z.string().nullable().exactOptional(),
});

export const rpcSpecificationDocument = z
  .object({
    version: name,
    storedAt: z.date(),
    structs: z.array(z.object({ name, params: z.array(rpcParam) })),
    functions: z.array(z.object({ name, messageType: name, params: z.array(rpcParam) })),
  })
  .transform((specification): SnapshotRpcSpec => ({ ...specification, storedAt: specification.storedAt.getTime() }));

export const permissionDocument = z.object({
  name,
  type: z.enum(permissionTypes),
  functionId: z
    .number()
    .nullish()
    .transform((id) => id ?? null),
  parents: z.array(name),
}) satisfies z.ZodType<SnapshotPermission>;
