import { oncePer } from "@/lib/platform/once-per";
import { findTableFindings, subtractFindings } from "@/lib/policy/checks/promotion-check";
import { isPromptless } from "@/lib/policy/checks/table-faults";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";
import { aCheck, type ReviewCase } from "@/lib/gate/checks/review-case";
import type { AppFinding } from "@/lib/gate/review/app-comparison";
import { itemsOf } from "@/lib/gate/review/production";
import { type ItemKey, itemOfTablePart } from "@/lib/labels/release-items";

/** The table of a snapshot is looked at once, however many sets are tried against it. */
const findingsOf = oncePer((snapshot: PolicySnapshot) => findTableFindings(snapshot, "production"));

/**
 * Everything that head units of either build would object to and do not today (rules L6 and G9): in the sections that all
 * vehicles share, and in the entries of apps that change. Groups without their prompt are told by `checkPrompts`.
 *
 * @param ofApps what is new in the entries of apps
 */
export function checkFindings(review: ReviewCase, ofApps: readonly AppFinding[]): ReleaseCheckJson[] {
  const { before, after } = review;
  const shared = subtractFindings(findTableFindings(after, "production"), findingsOf(before));
  return [
    ...shared
      .filter((finding) => !isPromptless(finding))
      .map(({ rule, path, message }) => aCheck("finding", rule, findItem(path, review), message)),
    ...ofApps.map(({ rule, uuid, message }) => aCheck("finding", rule, { family: "app", key: uuid }, message)),
  ];
}

/** The item that a place in a policy table belongs to; one of those that are published where it belongs to several. */
function findItem(path: string, { after, contents }: ReviewCase): ItemKey {
  const [section, ...steps] = readPath(path);
  const item = section === "module_config" ? null : itemOfTablePart(section, steps);
  if (item !== null) return item;
  if (section === "vehicle_data" && steps[1] !== undefined) {
    const name = [...listSchemaItems(after, "production", () => undefined).keys()][Number(steps[1])];
    if (name !== undefined) return { family: "vehicle_data", key: name };
  }
  const items = itemsOf(contents);
  const family = section === undefined ? undefined : familyOfSection.get(section);
  return items.find((item) => item.family === family) ?? items[0] ?? { family: "module_config", key: "" };
}

const familyOfSection = new Map<string, ItemKey["family"]>([
  ["module_config", "module_config"],
  ["functional_groupings", "group"],
  ["consumer_friendly_messages", "message"],
  ["vehicle_data", "vehicle_data"],
  // Of the fixed entries: groups decide what they hold.
  ["app_policies", "group"],
]);

/** The steps of a finding's path, e.g. `app_policies["a.b"].groups[0]`. */
function readPath(path: string): string[] {
  return Array.from(path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g), ([, quoted, index, plain]) =>
    quoted === undefined ? (index ?? plain ?? "") : String(JSON.parse(`"${quoted}"`)),
  );
}
