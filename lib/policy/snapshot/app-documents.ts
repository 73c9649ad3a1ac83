import { z } from "zod";
import { recordId } from "@/lib/policy/snapshot/documents";
import { type Interner } from "@/lib/policy/snapshot/interner";
import { type SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { approvalStatuses, hmiTextLevels, hybridPreferences } from "@/lib/words/vocabulary";

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

/** What decides which version of an app counts; answered from an index, without reading the documents. */
export const versionHeader = z.object({
  _id: recordId,
  uuid: z.string().min(1),
  uuidKey: z.string().min(1),
  shortUuid: z.string().min(1),
  approvalStatus: z.enum(approvalStatuses),
});
export type VersionHeader = z.infer<typeof versionHeader>;

export const flagsDocument = z.object({
  uuid: z.string().min(1),
  uuidKey: z.string().min(1),
  isBlacklisted: z.boolean(),
  isAdministratorApp: z.boolean(),
  allowUnknownRpcPassthrough: z.boolean(),
  hybridAppPreference: z
    .enum(hybridPreferences)
    .nullish()
    .transform((value) => value ?? null),
});
export type FlagsDocument = z.infer<typeof flagsDocument>;

export const appVersionDocument = z.object({
  _id: recordId,
  approvalStatus: z.enum(approvalStatuses),
  shortUuid: z.string().min(1),
  displayNames: z.array(z.string()),
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
  permissions: z.array(
    z.object({
      key: z.string(),
      hmiLevel: z
        .enum(hmiTextLevels)
        .nullish()
        .transform((level) => level ?? null),
    }),
  ),
  services: z.array(
    z.object({ name: z.string(), serviceNames: z.array(z.string()), selectedPermissions: z.array(z.string()) }),
  ),
  groupGrants: z.array(z.string()),
});

/** The members above and no others: bundles, contacts and texts never reach a policy table. */
export const appVersionProjection = Object.fromEntries(
  Object.keys(appVersionDocument.shape).map((member) => [member, 1 as const]),
);

/** The version as the snapshot keeps it. */
export function toAppVersion(
  { _id, ...version }: z.infer<typeof appVersionDocument>,
  interner: Interner,
): SnapshotAppVersion {
  return internVersion({ id: _id, ...version }, interner);
}

/** The same version, sharing with others what many apps have in common. */
function internVersion(version: SnapshotAppVersion, interner: Interner): SnapshotAppVersion {
  return {
    ...version,
    categories: interner.list(version.categories),
    permissions: interner.list(version.permissions),
    groupGrants: interner.list(version.groupGrants),
    services: version.services.map((service) => ({
      name: interner.text(service.name),
      serviceNames: service.serviceNames,
      selectedPermissions: interner.list(service.selectedPermissions),
    })),
    cloudTransportType: version.cloudTransportType === null ? null : interner.text(version.cloudTransportType),
    caCertificate: version.caCertificate === null ? null : interner.text(version.caCertificate),
  };
}
