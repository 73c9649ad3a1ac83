"one per process";

import { AppError } from "@/lib/platform/errors";
import type { AuditEntry } from "@/lib/platform/db/audit";
import type { ReviewedItem } from "@/lib/vocabulary/release-items";
import { listSome } from "@/lib/vocabulary/format-number";
import { loadSettings } from "@/lib/platform/settings";
import { byCodeUnit } from "@/lib/vocabulary/order";

export interface Plan {
  /** The records by id: staged ones for a publication, replaced production ones for a rollback. */
  readonly items: readonly ReviewedItem[];
  /** Findings of head units, one text each; null if not checked. */
  readonly findings: readonly string[] | null;
  readonly digest: Digest;
}

/** Hashes of the items and of their content in production (`gate.md` W5). */
export interface Digest {
  readonly sum: string;
  /** A short hash and the name of each part; incomplete if there are very many. */
  readonly parts: readonly string[];
}

/** Number of hexadecimal digits of a part's hash. */
export const partLength = 16;

class ApprovalNeeded extends Error {
  override readonly name = "ApprovalNeeded";
  constructor(readonly plan: Plan) {
    super("the approval of another person is needed");
  }
}

const sentences = {
  publication: "Changing production needs the approval of another person",
  app: "Giving an app more permissions in production needs the approval of another person",
} as const;

/** Refuses a change that only its author has seen with AppError 409 (`people.md` P9); `planOf` reads the plan. */
export function refuseAlone(plan: Plan, what: keyof typeof sentences): never {
  throw new AppError("conflict", sentences[what], { cause: new ApprovalNeeded(plan) });
}

const maxNamed = 5;

/** Throws AppError 409 if the change differs from what was approved, naming the changed parts. */
export function requireAsApproved(approved: Digest, now: Digest): void {
  if (approved.sum === now.sum) return;
  const names = approved.parts.length === 0 ? [] : changedNames(approved.parts, now.parts);
  const which = names.length === 0 ? "" : ` (${listSome(names, maxNamed)})`;
  throw new AppError(
    "conflict",
    `What production would get has changed since it was asked for${which}: it must be asked for again`,
  );
}

function changedNames(one: readonly string[], other: readonly string[]): string[] {
  const [before, after] = [new Set(one), new Set(other)];
  const differing = [...one.filter((part) => !after.has(part)), ...other.filter((part) => !before.has(part))];
  return [...new Set(differing.map((part) => part.slice(partLength + 1)))].sort(byCodeUnit);
}

/** Audit event of a refused change to production (`gate.md` W12). */
export const refusalEvent = (reason: string): AuditEntry => ({
  action: "gate.refuse",
  target: "production",
  after: { reason },
});

/** Whether a second person must approve changes to production, and whether this includes apps (`people.md` P9). */
export function needsSecondPerson(what: keyof typeof sentences = "publication"): boolean {
  const { publishApprovals } = loadSettings();
  return publishApprovals === "all" || (publishApprovals === "releases" && what === "publication");
}

/** The plan that `refuseAlone` refused; null for any other error. */
export function planOf(error: unknown): Plan | null {
  return error instanceof AppError && error.cause instanceof ApprovalNeeded ? error.cause.plan : null;
}
