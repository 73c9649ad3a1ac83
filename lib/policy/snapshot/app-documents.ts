import { z } from "zod";
import type { Interner } from "@/lib/policy/snapshot/interner";
import { appVersionDocument, recordId, type SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { namesOf, recordOf } from "@/lib/labels/members";
import { approvalStatuses } from "@/lib/labels/vocabulary";

/** What decides which version of an app counts; answered from an index, without reading the documents. */
export const versionHeader = z.object({
  _id: recordId,
  uuid: z.string().min(1),
  uuidKey: z.string().min(1),
  shortUuid: z.string().min(1),
  approvalStatus: z.enum(approvalStatuses),
});
export type VersionHeader = z.infer<typeof versionHeader>;

/** What a policy table needs and nothing else: bundles, contacts and texts never reach one. */
export const appVersionProjection = recordOf<string, 1>(namesOf(appVersionDocument.shape), () => 1);

/** The version as the snapshot keeps it, sharing with others what many apps have in common. */
export function toAppVersion(
  { _id: id, ...version }: z.infer<typeof appVersionDocument>,
  interner: Interner,
): SnapshotAppVersion {
  return {
    id,
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
