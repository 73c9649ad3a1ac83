import type { AuditFilter } from "@/lib/platform/audit/schema";
import { auditFamilies } from "@/lib/platform/audit/vocabulary";

type Condition = Readonly<Record<string, unknown>>;

/** Tells the transaction of a release from others. */
interface ReleaseMade {
  readonly revision: number;
  readonly at: Date;
}

/** What each environment is changed by; decisions about apps are told apart by their status. */
const inEnvironment = {
  production: {
    $or: [
      { action: { $regex: "\\.promote$|^releases\\.publish$" } },
      { "after.approval_status": "ACCEPTED" },
      { "before.approval_status": "ACCEPTED" },
      { "after.is_blacklisted": true },
      { "before.is_blacklisted": true },
    ],
  },
  staging: {
    $or: [
      { action: { $regex: "^(groups|messages|vehicle-data|module)\\.", $not: /\.promote$/ } },
      { "after.approval_status": "STAGING" },
      { "before.approval_status": "STAGING" },
    ],
  },
} as const satisfies Record<string, Condition>;

/**
 * The events that the filters select, as a database condition.
 * @param made revision and time of the release in the filter; null: no such release
 */
export function buildAuditFilter(filter: AuditFilter, made: ReleaseMade | null): Condition {
  const { target, person, family, item, action, environment, release, from, to } = filter;
  const conditions: Condition[] = [
    ...(target === undefined ? [] : [{ target }]),
    ...(person === undefined ? [] : [{ $or: [{ displayName: person }, { actor: person }] }]),
    ...(family === undefined ? [] : [{ target: { $regex: `^(${auditFamilies[family].join("|")})(:|$)` } }]),
    ...(item === undefined ? [] : [{ target: { $regex: escapeRegExp(item), $options: "i" } }]),
    ...(action === undefined ? [] : [{ action: { $regex: `^${escapeRegExp(action)}(\\.|$)` } }]),
    ...(environment === undefined ? [] : [inEnvironment[environment]]),
    // Events that leave the revision as it is carry the next number as well: the time is that of the transaction. No event
    // has a revision below zero.
    ...(release === undefined ? [] : [made === null ? { revision: -1 } : { revision: made.revision, at: made.at }]),
    ...(from === undefined ? [] : [{ at: { $gte: from } }]),
    ...(to === undefined ? [] : [{ at: { $lt: to } }]),
  ];
  return conditions.length === 0 ? {} : { $and: conditions };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
