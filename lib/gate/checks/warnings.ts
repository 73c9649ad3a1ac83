import { isDeepStrictEqual } from "node:util";
import type { PolicyOptions, PolicySnapshot, SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, including, quoteItem, type ReviewCase } from "@/lib/gate/checks/review-case";
import { itemsOf } from "@/lib/gate/review/production";
import { buildTablePart } from "@/lib/gate/review/table-parts";
import { byCodeUnit } from "@/lib/labels/order";
import type { ItemKey } from "@/lib/labels/release-items";

/** Items whose publication changes nothing that a vehicle can be sent (rule L6). */
export function warnOfNoEffect(
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
    const message = `Publishing ${quoteItem(item)} changes nothing in the policy table`;
    return [aCheck("warning", "without effect", item, message)];
  });
}

/** What of a group decides who gets it (rules A13 to A22) and is not in its part of the table. */
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

/** Groups that every app gets from now on (rule L6). */
export function warnOfDefaultGroups({ before, contents }: ReviewCase): ReleaseCheckJson[] {
  const isOfAll = (group: SnapshotGroup | undefined) => group !== undefined && group.isDefault && !group.isDeleted;
  const were = new Map(before.groups.production.map((group) => [group.name, group]));
  return contents.groups
    .filter((group) => isOfAll(group) && !isOfAll(were.get(group.name)))
    .map(({ name: key }) => {
      const message = `The functional group ${JSON.stringify(key)} is given to all apps from now on`;
      return aCheck("warning", "default group for all apps", { family: "group", key }, message);
    });
}

/** Groups that go to production while a newer wording of their prompt stays in staging (rule L6). */
export function warnOfOlderWording(review: ReviewCase): ReleaseCheckJson[] {
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
