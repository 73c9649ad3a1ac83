import { AppError, errorNamed, isAppError } from "@/lib/platform/errors";
import type { AuditEntry } from "@/lib/platform/db/audit";
import type { ReviewedItem } from "@/lib/labels/release-items";
import { loadSettings } from "@/lib/platform/settings";
import { byCodeUnit } from "@/lib/labels/order";

/** What somebody wants to bring into production, as it was reviewed. */
export interface Plan {
  /** The records by their ids: staged ones of a publication, those of production that a return replaces. */
  readonly items: readonly ReviewedItem[];
  /** What head units would object to, one text each; null: nobody has looked. */
  readonly findings: readonly string[] | null;
  readonly digest: Digest;
}

/** The items, and what production would get of them (`gate.md` W5). */
export interface Digest {
  /** SHA-256 of all parts. */
  readonly sum: string;
  /** A short hash of each part and its name; not all where there are very many. */
  readonly parts: readonly string[];
}

/** Hexadecimal digits of the hash of a part. */
export const partLength = 16;

/** Why a change was refused that another person may approve; the cause of the refusal. */
class ApprovalNeeded extends Error {
  override readonly name = "ApprovalNeeded";
  constructor(readonly plan: Plan) {
    super("the approval of another person is needed");
  }
}
const isNeeded = errorNamed<ApprovalNeeded>("ApprovalNeeded");

const sentences = {
  publication: "Changing production needs the approval of another person",
  app: "Giving an app more permissions in production needs the approval of another person",
} as const;

/** Refuses with AppError 409 what nobody but its author has seen (`people.md` P9); `planOf` reads it. */
export function refuseAlone(plan: Plan, what: keyof typeof sentences): never {
  throw new AppError("conflict", sentences[what], { cause: new ApprovalNeeded(plan) });
}

/** Parts that a sentence names. */
const maxNamed = 5;

/** Refuses with AppError 409 what is no longer what was approved; names what has changed. */
export function requireAsApproved(approved: Digest, now: Digest): void {
  if (approved.sum === now.sum) return;
  const names = approved.parts.length === 0 ? [] : changedNames(approved.parts, now.parts);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  const which = names.length === 0 ? "" : ` (${names.slice(0, maxNamed).join(", ")}${more})`;
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

/** Tells of a change of production that was refused (`gate.md` W12). */
export const refusalEvent = (reason: string): AuditEntry => ({
  action: "gate.refuse",
  target: "production",
  after: { reason },
});

/** Whether two persons have to agree to what production gets, and whether to apps as well (`people.md` P9). */
export function needsSecondPerson(what: keyof typeof sentences = "publication"): boolean {
  const { publishApprovals, publishApprovalsApps } = loadSettings();
  return publishApprovals > 0 && (what === "publication" || publishApprovalsApps);
}

/** What `refuseAlone` has refused; null: something else went wrong. */
export function planOf(error: unknown): Plan | null {
  return isAppError(error) && isNeeded(error.cause) ? error.cause.plan : null;
}
