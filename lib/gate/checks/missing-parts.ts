import { listLostParameters } from "@/lib/content/groups/rules";
import { usableParameters } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, including, type ReviewCase } from "@/lib/gate/checks/review-case";
import { distinct } from "@/lib/labels/order";

/** Names of the rules, for programs. */
export const missingRules = {
  prompt: "consent prompt missing",
  messageInUse: "message in use",
  vehicleData: "custom vehicle data missing",
  vehicleDataInUse: "vehicle data in use",
} as const;

const living = ({ groups }: PolicySnapshot) => groups.production.filter(({ isDeleted }) => !isDeleted);
const quoted = (name: string) => JSON.stringify(name);

/**
 * Groups whose consent prompt production would not have (rules L6 and F3), where this publication is to blame: it brings the
 * group, or takes the message away.
 */
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

/**
 * Groups whose custom parameters would get lost on the way (rules L6 and F5): the group arrives without its vehicle data, or
 * the vehicle data goes while a group still allows it.
 */
export function checkVehicleData(review: ReviewCase): ReleaseCheckJson[] {
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
