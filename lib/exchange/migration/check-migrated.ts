import "server-only";
import { findTableFindings } from "@/lib/policy/checks/promotion-check";
import { buildAnswer } from "@/lib/policy/answer/answer";
import { type HeadUnitFinding, isUnfit } from "@/lib/policy/head-unit/finding";
import { checkPolicyTable } from "@/lib/policy/head-unit/head-unit-check";
import { readAnswerData } from "@/lib/policy/preview";
import type { Damage } from "@/lib/policy/snapshot/damage";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { distinct } from "@/lib/vocabulary/order";
import { environments } from "@/lib/vocabulary/terms";
import { ApplicationFlagsModel } from "@/models/application-flags";

/** Head units accept at most 1,000 entries. */
const perTable = 500;

/** `exchange.md` X7. One line per finding or unreadable record, with the entries of all apps. */
export async function checkMoved(publicBaseUrl: string): Promise<readonly string[]> {
  const damages: Damage[] = [];
  const snapshot = await createSnapshotLoader({ report: (damage) => void damages.push(damage) }).load();
  const refusals = damages.map(({ collection, id, reason }) => `record ${String(id)} of ${collection}: ${reason}`);
  const flags = await ApplicationFlagsModel.find({}, { uuid: 1 }).sort({ _id: 1 }).lean();
  const uuids = flags.map(({ uuid }) => uuid);
  const options = { publicBaseUrl, certificates: { staging: null, production: null } };
  for (const environment of environments) {
    const shared = findTableFindings(snapshot, environment);
    // Without a module config there is no table.
    const isWhole = snapshot.moduleConfigs[environment].length > 0;
    const policy = isWhole ? await compilePolicy(snapshot, environment, options, () => undefined) : null;
    const ofApps: HeadUnitFinding[] = [];
    for (let from = 0; policy !== null && from < uuids.length; from += perTable) {
      const apps = uuids.slice(from, from + perTable).map((uuid) => [uuid, null] as const);
      const request = { apps, fullAppIdSupported: true, isOlder: false };
      ofApps.push(...checkPolicyTable(readAnswerData(buildAnswer(policy, request, ""))[0].policy_table));
    }
    for (const { path, message } of [...shared, ...ofApps].filter(isUnfit)) {
      refusals.push(`${environment}: ${path}: ${message}`);
    }
  }
  return distinct(refusals);
}
