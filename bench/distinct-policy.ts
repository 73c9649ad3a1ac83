import { buildApplicationVersion } from "@/lib/apps/applications/rules";
import { directoryApplication } from "@/lib/apps/directory/answers/schema";
import { appVersionDocument, internVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import { anApp } from "@/test/support/builders";
import { seedSnapshot } from "@/test/support/seed-snapshot";
import { distinctGrants, distinctRecord, distinctUuid } from "@/bench/distinct-apps";

const defaults = {
  isBlacklisted: false,
  isAutoApprovedEnabled: false,
  autoApproveAllApps: true,
  encryptionRequired: false,
};

/** A snapshot with initial data and this many distinct apps, for the compiler, without a database. */
export async function distinctSnapshot(count: number): Promise<PolicySnapshot> {
  const interner = new Interner();
  const now = new Date();
  const apps = Array.from({ length: count }, (_, at) => {
    const record = directoryApplication.parse(distinctRecord(at));
    const version = buildApplicationVersion(record, { defaults, serviceTypes: [], now });
    const stored = { ...version, _id: at + 1, groupGrants: distinctGrants(at) };
    return anApp({ uuid: distinctUuid(at), versions: [internVersion(appVersionDocument.parse(stored), interner)] });
  });
  return seedSnapshot(apps);
}
