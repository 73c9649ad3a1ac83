import type { WriteContext } from "@/lib/db/transaction";
import { AppError, errorNamed, isAppError } from "@/lib/errors";
import type { ItemKey } from "@/lib/releases/vocabulary";
import { loadSettings } from "@/lib/settings";

/** What somebody wants to bring into production, as it was reviewed. */
export interface Plan {
  /** The records by their ids: staged ones of a publication, those of production that a return replaces. */
  readonly items: readonly (ItemKey & { readonly id: number })[];
  /** What head units would object to, one text each; null: nobody has looked. */
  readonly findings: readonly string[] | null;
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
  app: "Accepting an app for production needs the approval of another person",
  automatic: "Automatic approval would accept versions that no second person has seen",
} as const;

/**
 * Refuses a change of production that nobody but its author has seen, where two persons have to (`people.md` P9). What the
 * server does of its own, and trials of which nothing stays, need no approval. To be called when nothing else refuses it.
 *
 * @throws AppError 409; the transaction must be left by it. `planOf` gives what was refused
 */
export function requireSecondPerson(
  { role, approval }: Pick<WriteContext, "role" | "approval">,
  plan: Plan,
  what: keyof typeof sentences = "publication",
): void {
  if (role === undefined || approval !== undefined || !needsSecondPerson(what)) return;
  throw new AppError("conflict", sentences[what], { cause: new ApprovalNeeded(plan) });
}

/** Whether two persons have to agree to what production gets, and whether to apps as well (`people.md` P9). */
export function needsSecondPerson(what: keyof typeof sentences = "publication"): boolean {
  const { publishApprovals, publishApprovalsApps } = loadSettings();
  return publishApprovals > 0 && (what === "publication" || publishApprovalsApps);
}

/** What `requireSecondPerson` has refused; null: something else went wrong. */
export function planOf(error: unknown): Plan | null {
  return isAppError(error) && isNeeded(error.cause) ? error.cause.plan : null;
}
