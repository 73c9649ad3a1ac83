import { X509Certificate } from "node:crypto";
import type { PolicyOptions, PolicySnapshot, SnapshotGroup, SnapshotModuleConfig } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/releases/answer-schema";
import { checkFindings, warnOfSilentPrompts } from "@/lib/releases/checks/findings";
import { aCheck, including, type ReviewCase } from "@/lib/releases/checks/review-case";
import type { AppFinding } from "@/lib/releases/review/app-comparison";
import { listLostParameters } from "@/lib/records/groups/rules";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";
import { isDeepStrictEqual } from "node:util";
import { itemsOf } from "@/lib/releases/review/production";
import { nameOfApp } from "@/lib/policy/effect/effect-summary";
import { buildTablePart } from "@/lib/releases/review/table-parts";
import { type ItemKey, quoteItem } from "@/lib/vocabulary/release-items";

/** Checks a set of items as if published (`releases.md` L6): what blocks publishing, then findings, then warnings. */
export function runChecks(
  review: ReviewCase,
  ofApps: readonly AppFinding[],
  ofPermits: readonly ReleaseCheckJson[],
  options: Pick<PolicyOptions, "publicBaseUrl">,
): ReleaseCheckJson[] {
  return [
    ...checkPrompts(review),
    ...checkVehicleData(review),
    ...checkCertificate(review),
    ...checkFindings(review, ofApps),
    ...ofPermits,
    ...warnOfDefaultGroups(review),
    ...warnOfOlderWording(review),
    ...warnOfSilentPrompts(review),
    ...warnOfNoEffect(review, options),
  ];
}

const moduleConfig = { family: "module_config", key: "" } as const;

/** Half a pair of certificate and private key, which the policy table omits; or an expired certificate. */
function checkCertificate({ contents, now }: ReviewCase): ReleaseCheckJson[] {
  return contents.moduleConfigs.flatMap(({ certificate, privateKey }) => {
    const [hasCertificate, hasKey] = [Boolean(certificate), Boolean(privateKey)];
    if (hasCertificate !== hasKey) {
      const [has, lacks] = hasKey ? ["a private key", "certificate"] : ["a certificate", "private key"];
      const message = `The module config has ${has} and no ${lacks}; vehicles would get neither`;
      return [aCheck("block", "half a certificate pair", moduleConfig, message)];
    }
    if (!isExpired(certificate, now)) return [];
    return [aCheck("block", "certificate expired", moduleConfig, "The certificate has expired")];
  });
}

function isExpired(certificate: SnapshotModuleConfig["certificate"], now: number): boolean {
  if (!certificate) return false;
  try {
    return Date.parse(new X509Certificate(certificate).validTo) <= now;
  } catch {
    // Saving rejects unreadable certificates. Publishing one that an older server stored makes nothing worse.
    return false;
  }
}

const missingRules = {
  prompt: "consent prompt missing",
  messageInUse: "message in use",
  vehicleData: "custom vehicle data missing",
  vehicleDataInUse: "vehicle data in use",
} as const;

const living = ({ groups }: PolicySnapshot) => groups.production.filter(({ isDeleted }) => !isDeleted);
const quoted = (name: string) => JSON.stringify(name);

export function checkPrompts(review: ReviewCase): ReleaseCheckJson[] {
  const { before, after, contents } = review;
  const prompts = new Set(after.messages.production.flatMap((one) => (one.isDeleted ? [] : one.category)));
  const published = new Set(contents.groups.map(({ name }) => name));
  const deleted = new Set(contents.messages.flatMap((one) => (one.isDeleted ? one.category : [])));
  const staged = new Map(before.messages.staging.map((message) => [message.category, message]));
  return living(after).flatMap((group) => {
    const { name, userConsentPrompt: prompt } = group;
    if (prompt === null || prompts.has(prompt)) return [];
    if (deleted.has(prompt)) {
      const message = `The message ${quoted(prompt)} is deleted, and the functional group ${quoted(name)} asks with it`;
      const stagedGroup = before.groups.staging.find((one) => one.name === name);
      const mends = stagedGroup !== undefined && (stagedGroup.isDeleted || stagedGroup.userConsentPrompt !== prompt);
      const remedy = mends ? including(review, { family: "group", key: name }) : null;
      return [aCheck("block", missingRules.messageInUse, { family: "message", key: prompt }, message, remedy)];
    }
    if (!published.has(name)) return [];
    const message = `The functional group ${quoted(name)} asks with the message ${quoted(prompt)}, which is not in production`;
    const remedy =
      staged.get(prompt)?.isDeleted === false ? including(review, { family: "message", key: prompt }) : null;
    return [aCheck("block", missingRules.prompt, { family: "group", key: name }, message, remedy)];
  });
}

function checkVehicleData(review: ReviewCase): ReleaseCheckJson[] {
  return [...checkArriving(review), ...checkLeaving(review)];
}

function checkArriving(review: ReviewCase): ReleaseCheckJson[] {
  const isUsable = usableParameters(review.after);
  return review.contents.groups.flatMap((group) => {
    if (group.isDeleted) return [];
    return listLostParameters(group, isUsable).map((parameter) => {
      const message = `The functional group ${quoted(group.name)} allows the vehicle data ${quoted(parameter)}, which is not in production`;
      const remedy = including(review, { family: "vehicle_data", key: parameter });
      return aCheck("block", missingRules.vehicleData, { family: "group", key: group.name }, message, remedy);
    });
  });
}

function checkLeaving(review: ReviewCase): ReleaseCheckJson[] {
  const { before, after, contents } = review;
  const deleted = new Set(contents.vehicleData.flatMap((one) => (one.isDeleted ? one.name : [])));
  if (deleted.size === 0) return [];
  const [wasUsable, isUsable] = [usableParameters(before), usableParameters(after)];
  const lost = (group: SnapshotGroup) =>
    distinct(
      group.rpcs.flatMap(({ name, parameters }) =>
        parameters.filter(
          (key) => deleted.has(key) && wasUsable(inProduction, name, key) && !isUsable(inProduction, name, key),
        ),
      ),
    );
  return living(after).flatMap((group) =>
    lost(group).map((parameter) => {
      const message = `The vehicle data ${quoted(parameter)} is deleted, and the functional group ${quoted(group.name)} allows it`;
      const staged = before.groups.staging.find(({ name }) => name === group.name);
      const mends = staged !== undefined && (staged.isDeleted || !usesParameter(staged, parameter));
      const remedy = mends ? including(review, { family: "group", key: group.name }) : null;
      const item = { family: "vehicle_data", key: parameter } as const;
      return aCheck("block", missingRules.vehicleDataInUse, item, message, remedy);
    }),
  );
}

const inProduction = { status: "PRODUCTION" } as const;

function usesParameter({ rpcs }: SnapshotGroup, parameter: string): boolean {
  return rpcs.some(({ parameters }) => parameters.includes(parameter));
}

/** Items whose publication changes nothing that the server can send to a vehicle. */
function warnOfNoEffect(
  { before, after, contents }: ReviewCase,
  options: Pick<PolicyOptions, "publicBaseUrl">,
): ReleaseCheckJson[] {
  const partsOf = (snapshot: PolicySnapshot, item: ItemKey) => [
    buildTablePart(snapshot, item, options),
    item.family === "group" ? grantsOf(snapshot, item.key) : null,
    item.family === "module_config" ? snapshot.moduleConfigs.production.map(({ privateKey }) => privateKey) : null,
  ];
  return itemsOf(contents).flatMap((item) => {
    if (!isDeepStrictEqual(partsOf(before, item), partsOf(after, item))) return [];
    const app = item.family === "app" ? after.apps.byUuid(item.key.toLowerCase()) : undefined;
    const name = app === undefined ? quoteItem(item) : `the app ${quoted(nameOfApp(app))}`;
    const message = `Publishing ${name} changes nothing in the policy table`;
    const title = app === undefined ? {} : { title: nameOfApp(app) };
    return [{ ...aCheck("warning", "without effect", item, message), ...title }];
  });
}

/** What decides who gets a group but is not in its part of the policy table. */
function grantsOf({ groups }: PolicySnapshot, name: string): unknown {
  const group = groups.production.find((one) => one.name === name);
  if (group === undefined || group.isDeleted) return null;
  const { id: _id, status: _status, rpcs, ...flags } = group;
  const granting = rpcs.filter(({ levels }) => levels.length > 0).toSorted((a, b) => byCodeUnit(a.name, b.name));
  return [
    flags,
    granting.map(({ levels, parameters, ...rpc }) => ({
      ...{ ...rpc, levels: levels.toSorted(byCodeUnit), parameters: parameters.toSorted(byCodeUnit) },
    })),
  ];
}

function warnOfDefaultGroups({ before, contents }: ReviewCase): ReleaseCheckJson[] {
  const isOfAll = (group: SnapshotGroup | undefined) => group !== undefined && group.isDefault && !group.isDeleted;
  const were = new Map(before.groups.production.map((group) => [group.name, group]));
  return contents.groups
    .filter((group) => isOfAll(group) && !isOfAll(were.get(group.name)))
    .map(({ name: key }) => {
      const message = `The functional group ${JSON.stringify(key)} is given to all apps from now on`;
      return aCheck("warning", "default group for all apps", { family: "group", key }, message);
    });
}

/** Published groups whose prompt has newer wording that stays in staging. */
function warnOfOlderWording(review: ReviewCase): ReleaseCheckJson[] {
  const { after, contents } = review;
  const published = new Set(after.messages.production.flatMap((one) => (one.isDeleted ? [] : one.category)));
  const staged = new Set(
    after.messages.staging.flatMap((one) => (one.status === "STAGING" && !one.isDeleted ? one.category : [])),
  );
  return contents.groups.flatMap(({ name, isDeleted, userConsentPrompt: prompt }) => {
    if (isDeleted || prompt === null || !published.has(prompt) || !staged.has(prompt)) return [];
    const message = `The functional group ${JSON.stringify(name)} asks with the message ${JSON.stringify(prompt)}, whose newer wording stays in staging`;
    const remedy = including(review, { family: "message", key: prompt });
    return [aCheck("warning", "older wording", { family: "group", key: name }, message, remedy)];
  });
}
