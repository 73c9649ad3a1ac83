import { AppError, errorNamed, isAppError } from "@/lib/errors";
import type { AuditEntry } from "@/lib/db/transaction";
import type { ItemKey } from "@/lib/releases/vocabulary";
import { loadSettings } from "@/lib/settings";

/** What somebody wants to bring into production, as it was reviewed. */
export interface Plan {
  /** The records by their ids: staged ones of a publication, those of production that a return replaces. */
  readonly items: readonly (ItemKey & { readonly id: number })[];
  /** What head units would object to, one text each; null: nobody has looked. */
  readonly findings: readonly string[] | null;
  /** Of the items and of what production would get (`gate.md` W5). */
  readonly digest: string;
}

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
  app: "Giving an app more rights in production needs the approval of another person",
} as const;

/**
 * Refuses a change of production that nobody but its author has seen (`people.md` P9).
 *
 * @throws AppError 409; the transaction must be left by it. `planOf` gives what was refused
 */
export function refuseAlone(plan: Plan, what: keyof typeof sentences): never {
  throw new AppError("conflict", sentences[what], { cause: new ApprovalNeeded(plan) });
}

/** Said of what is not any more what was approved. */
export const changedSentence =
  "What production would get has changed since it was asked for: it must be asked for again";

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
