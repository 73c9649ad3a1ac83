import "server-only";
import { type Transaction } from "@/lib/db/transaction";
import { AppError } from "@/lib/errors";
import { buildFixedEntries } from "@/lib/policy/app-policies";
import { buildConsumerMessages } from "@/lib/policy/consumer-messages";
import { groupDocument, messageDocument, moduleConfigDocument } from "@/lib/policy/documents";
import { buildFunctionalGroupings } from "@/lib/policy/functional-groupings";
import { checkPolicyTable, type HeadUnitFinding } from "@/lib/policy/head-unit-check";
import { PermissionLoader, RpcSpecificationLoader } from "@/lib/policy/load-lists";
import { RecordViews } from "@/lib/policy/load-records";
import { buildModuleConfig } from "@/lib/policy/module-config";
import { createPacer } from "@/lib/policy/pacer";
import { type AppCatalogue, type PolicySnapshot } from "@/lib/policy/snapshot";
import { buildVehicleData } from "@/lib/policy/vehicle-data";
import { vehicleDataDocument } from "@/lib/policy/vehicle-data-documents";
import { loadSettings } from "@/lib/settings";

/**
 * Runs the writes of a promotion and refuses it when head units would refuse the production table it leads to, unless
 * they would refuse today's for the same reason already: nobody is kept from repairing one thing by another.
 *
 * The sections that all vehicles share and the fixed app entries are checked, as the transaction sees them before and
 * after `write`.
 *
 * @param force publishes whatever is found
 * @throws AppError 409 with `data.findings`; the transaction must be left by it, so that nothing is stored
 */
export async function requireNoNewRefusals(tx: Transaction, force: boolean, write: () => Promise<void>): Promise<void> {
  if (force) {
    await write();
    return;
  }
  const load = createReader(tx);
  const before = findRefusals(await load());
  await write();
  const findings = subtractFindings(findRefusals(await load()), before);
  if (findings.length === 0) return;
  const message = "Head units would refuse the policy table after this promotion; send force: true to promote anyway";
  throw new AppError("conflict", message, { data: { findings } });
}

/** The findings that `known` does not hold; positions in lists may have shifted and do not count. */
export function subtractFindings(
  findings: readonly HeadUnitFinding[],
  known: readonly HeadUnitFinding[],
): HeadUnitFinding[] {
  const left = new Map<string, number>();
  for (const finding of known) left.set(identityOf(finding), (left.get(identityOf(finding)) ?? 0) + 1);
  return findings.filter((finding) => {
    const identity = identityOf(finding);
    const count = left.get(identity) ?? 0;
    left.set(identity, count - 1);
    return count <= 0;
  });
}

function identityOf({ build, path, rule, message }: HeadUnitFinding): string {
  // Counts in a message may have changed as well: 300 groups are no better than 301, and one less must not be refused.
  return JSON.stringify([build, path.replaceAll(/\[\d+\]/g, "[]"), rule, message.replaceAll(/\d+/g, "#")]);
}

function findRefusals(snapshot: PolicySnapshot): HeadUnitFinding[] {
  return checkPolicyTable(buildProductionTable(snapshot)).filter(({ severity }) => severity === "refused");
}

/** The production table without the entries of apps. Without a module config that section is missing. */
function buildProductionTable(snapshot: PolicySnapshot): unknown {
  const [config] = snapshot.moduleConfigs.production;
  const settings = loadSettings();
  // Head units limit the length; the plain form is the longer of the two that rule M10 knows.
  const isSent = settings.certificateGeneration.enabled && config?.certificate && config.privateKey;
  const certificate = isSent ? `${config.certificate}\n${config.privateKey}` : null;
  const options = {
    publicBaseUrl: settings.publicBaseUrl,
    certificates: { staging: certificate, production: certificate },
  };
  const report = () => undefined;
  const sections: readonly (readonly [string, string])[] = [
    ...(config ? [["module_config", buildModuleConfig(config, "production", options, false)] as const] : []),
    ["vehicle_data", buildVehicleData(snapshot, "production", report)],
    ["functional_groupings", buildFunctionalGroupings(snapshot, "production")],
    ["consumer_friendly_messages", buildConsumerMessages(snapshot, "production", report)],
  ];
  const apps = Object.entries(buildFixedEntries(snapshot, "production"));
  const parse = (entries: readonly (readonly [string, string])[]) =>
    Object.fromEntries(entries.map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return { ...parse(sections), app_policies: parse(apps) };
}

const noApps: AppCatalogue = { byUuid: () => undefined, byShortId: () => [], size: 0 };

/**
 * Reads what the shared sections are made of, as the transaction sees it. A second reading takes only what was written
 * since: records above the greatest id.
 */
function createReader(tx: Transaction): () => Promise<PolicySnapshot> {
  const ignore = () => undefined;
  const groups = new RecordViews({ family: "groups", document: groupDocument }, ignore);
  const messages = new RecordViews({ family: "messages", document: messageDocument }, ignore);
  const moduleConfigs = new RecordViews({ family: "moduleConfigs", document: moduleConfigDocument }, ignore);
  const vehicleData = new RecordViews({ family: "vehicleData", document: vehicleDataDocument }, ignore);
  const permissions = new PermissionLoader(ignore);
  const rpcSpec = new RpcSpecificationLoader(ignore);
  const parts = [groups, messages, moduleConfigs, vehicleData, permissions, rpcSpec];
  const pace = createPacer();
  let sinceRevision = -1;
  return async () => {
    for (const part of parts) {
      const takeOver = await part.read(tx.session, pace, sinceRevision);
      takeOver();
    }
    sinceRevision = tx.revision - 1;
    return {
      revision: 0,
      groups: groups.views,
      messages: messages.views,
      moduleConfigs: moduleConfigs.views,
      vehicleData: vehicleData.views,
      permissions: permissions.list,
      rpcSpec: rpcSpec.newest,
      apps: noApps,
    };
  };
}
