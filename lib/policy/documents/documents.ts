/** Strict about what rules use, ignores the rest. Tables omit invalid documents, which are reported (rule G5). */
import { z } from "zod";
import { groupFlags } from "@/lib/vocabulary/group-flags";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import { priorityMapNames } from "@/lib/vocabulary/rpc-priorities";
import {
  appPriorities,
  approvalStatuses,
  hmiLevels,
  hmiTextLevels,
  hybridPreferences,
  messageTextFields,
  notificationPriorities,
  permissionTypes,
  recordStatuses,
  storedEndpoints,
} from "@/lib/vocabulary/terms";
import type { Interner } from "@/lib/policy/documents/interner";

const orNull = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? null);
const withId = <Stored extends { readonly _id: number }>({ _id, ...members }: Stored) => ({ id: _id, ...members });

const recordId = z.int().positive();
const status = z.enum(recordStatuses);
const name = z.string().min(1);
const names = z.array(z.string());
const optionalText = orNull(z.string());

/** `parameters` of an RPC are the stored keys; rule F5 decides which of them count. */
export const groupDocument = z
  .object({
    _id: recordId,
    name,
    status,
    isDeleted: z.boolean(),
    ...recordOf(groupFlags, () => z.boolean()),
    userConsentPrompt: optionalText,
    rpcs: z.array(z.object({ name, levels: z.array(z.enum(hmiLevels)), parameters: names })),
  })
  .transform(withId);

export const messageDocument = z
  .object({
    _id: recordId,
    category: name,
    status,
    isDeleted: z.boolean(),
    languages: z.array(z.object({ ...recordOf(messageTextFields, () => optionalText), languageId: name })),
  })
  .transform(withId);

const notifications = z.record(z.enum(notificationPriorities), z.number());

/** Certificate and key are PEM; both or none. */
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
    ownEndpoints: z.array(z.enum(storedEndpoints)).exactOptional(),
    endpointProperties: z.array(z.object({ endpoint: z.enum(storedEndpoints), name, value: z.string() })),
    notificationsPerMinute: notifications,
    subtleNotificationsPerMinute: notifications,
    rpcPriorityTable: z.array(z.object({ map: z.enum(priorityMapNames), name, priority: z.int() })).exactOptional(),
    certificate: optionalText,
    privateKey: optionalText,
  })
  .transform(withId);

const limits = ["minlength", "maxlength", "minsize", "maxsize", "minvalue", "maxvalue"] as const;
const word = z.string().nullable().exactOptional();
const yesNo = z.boolean().nullable().exactOptional();
const rpcParam = z.object({
  name,
  type: name,
  since: word,
  until: word,
  deprecated: yesNo,
  removed: yesNo,
  mandatory: yesNo,
  ...recordOf(limits, () => z.number().nullable().exactOptional()),
  array: yesNo,
  platform: word,
});

/** Times are in milliseconds since 1970. */
export const rpcSpecificationDocument = z
  .object({
    version: name,
    storedAt: z.date(),
    structs: z.array(z.object({ name, params: z.array(rpcParam) })),
    functions: z.array(z.object({ name, messageType: name, params: z.array(rpcParam) })),
  })
  .transform((specification) => ({ ...specification, storedAt: specification.storedAt.getTime() }));

/** `parents` are the names of the permissions it belongs to, e.g. `gps` ← `GetVehicleData`. */
export const permissionDocument = z.object({
  name,
  type: z.enum(permissionTypes),
  functionId: orNull(z.number()),
  parents: z.array(name),
});

const storedVersion = z.object({
  _id: recordId,
  approvalStatus: z.enum(approvalStatuses),
  shortUuid: name,
  displayNames: names,
  canStealFocus: z.boolean(),
  canBackgroundAlert: z.boolean(),
  canManageWidgets: z.boolean(),
  defaultHmiLevel: z.enum(hmiTextLevels),
  encryptionRequired: z.boolean(),
  iconUrl: optionalText,
  cloudEndpoint: optionalText,
  cloudTransportType: optionalText,
  caCertificate: optionalText,
  categories: z.array(z.object({ id: z.int(), name: optionalText })),
  permissions: z.array(z.object({ key: z.string(), hmiLevel: orNull(z.enum(hmiTextLevels)) })),
  services: z.array(z.object({ name: z.string(), serviceNames: names, selectedPermissions: names })),
  groupGrants: names,
});

/** `name` of a category is the HMI type; administrators chose `selectedPermissions` of a service and `groupGrants`. */
export const appVersionDocument = storedVersion.transform(withId);
type AppVersion = z.output<typeof appVersionDocument>;

/** Only what policy tables need: they never contain bundles, contacts and descriptions. */
export const appVersionProjection = recordOf<string, 1>(namesOf(storedVersion.shape), () => 1);

export function internVersion(version: AppVersion, interner: Interner) {
  const shared = (text: string | null) => (text === null ? null : interner.text(text));
  return {
    ...version,
    categories: interner.list(version.categories),
    permissions: interner.list(version.permissions),
    groupGrants: interner.list(version.groupGrants),
    services: version.services.map(({ name: type, serviceNames, selectedPermissions }) => ({
      name: interner.text(type),
      serviceNames,
      selectedPermissions: interner.list(selectedPermissions),
    })),
    cloudTransportType: shared(version.cloudTransportType),
    caCertificate: shared(version.caCertificate),
  };
}

/** Reads a stored version; null if no policy entry can be built from it. */
export function readAppVersion(document: unknown, interner: Interner) {
  const parsed = appVersionDocument.safeParse(document);
  return parsed.success ? internVersion(parsed.data, interner) : null;
}

/** The data that decides which version of an app counts; comes from an index, without reading documents. */
export const versionHeader = storedVersion
  .pick({ _id: true, shortUuid: true, approvalStatus: true })
  .extend({ uuid: name, uuidKey: name });
export type VersionHeader = z.infer<typeof versionHeader>;

/** Null if nobody has set a preference or a priority. */
export const flagsDocument = z.object({
  uuid: name,
  uuidKey: name,
  isBlacklisted: z.boolean(),
  isAdministratorApp: z.boolean(),
  allowUnknownRpcPassthrough: z.boolean(),
  hybridAppPreference: orNull(z.enum(hybridPreferences)),
  priority: orNull(z.enum(appPriorities)),
});
export type FlagsDocument = z.infer<typeof flagsDocument>;

const node = z.object({
  id: recordId,
  parentId: orNull(recordId),
  name: z.string(),
  key: z.string(),
  type: z.string(),
  ...recordOf(["mandatory", "array"], () =>
    z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  ),
  ...recordOf(["minLength", "maxLength", "minSize", "maxSize", "minValue", "maxValue"], () => orNull(z.number())),
});
type Node = z.infer<typeof node>;

type Item = Omit<Node, "id" | "parentId"> & { readonly params: readonly Item[] };

/** Accepts names that the rules of the table refuse: the compiler omits and logs them individually. */
export const vehicleDataDocument = z
  .object({
    _id: recordId,
    name: z.string(),
    status,
    isDeleted: z.boolean(),
    createdAt: z.date(),
    nodes: z.array(node).min(1),
  })
  .transform(({ nodes, createdAt, ...document }, context) => {
    const root = nodes.find((candidate) => candidate.id === document._id && candidate.parentId === null);
    if (root === undefined) {
      context.addIssue({ code: "custom", path: ["nodes"], message: "there is no root node" });
      return z.NEVER;
    }
    // Unique ids mean one parent each, and therefore a tree without cycles below the root.
    if (new Set(nodes.map(({ id }) => id)).size < nodes.length) {
      context.addIssue({ code: "custom", path: ["nodes"], message: "two nodes share an id" });
      return z.NEVER;
    }
    return { ...buildItem(root, groupByParent(nodes)), ...withId(document), savedAt: createdAt.getTime() };
  });

function groupByParent(nodes: readonly Node[]): ReadonlyMap<number | null, readonly Node[]> {
  const groups = new Map<number | null, Node[]>();
  for (const child of nodes) {
    const siblings = groups.get(child.parentId);
    if (siblings === undefined) groups.set(child.parentId, [child]);
    else siblings.push(child);
  }
  return groups;
}

function buildItem(
  { id, parentId: _parent, ...item }: Node,
  children: ReadonlyMap<number | null, readonly Node[]>,
): Item {
  return { ...item, params: (children.get(id) ?? []).map((child) => buildItem(child, children)) };
}
