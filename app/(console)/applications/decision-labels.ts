import type { DecidedState, Situation } from "@/lib/apps/applications/decisions";
import type { VersionOutline } from "@/lib/apps/applications/versions";

export interface DecisionLabels {
  readonly button: string;
  readonly title: string;
  readonly confirm: (hasReason: boolean) => string;
  readonly done: string;
  readonly notes: readonly string[];
  readonly takesReason: boolean;
  readonly isDangerous: boolean;
}

export interface Subject extends Situation, DecidedState {
  readonly name: string;
  readonly versions: readonly (VersionOutline & { readonly label: string })[];
}

export const labelOf = ({ versions }: Subject, id: number) => versions.find((one) => one.id === id)?.label ?? "";

const reported = "The decision is reported to the app directory.";
const stateNames = { PENDING: "pending", STAGING: "in staging", ACCEPTED: "approved", LIMITED: "limited" } as const;

/** `from`: the previous state of the version; default: its present state. */
export function buildDecisionLabels(
  next: DecidedState,
  subject: Subject,
  from: DecidedState = subject,
): DecisionLabels {
  const { name } = subject;
  const label = labelOf(subject, subject.id);
  const version = `${label} of ${name}`;
  const wasAccepted = from.status === "ACCEPTED";
  const takesReason = next.isBlocked || (next.status === "LIMITED" && !from.isBlocked);
  const isReported = next.isBlocked || next.status === "ACCEPTED" || next.status === "LIMITED";
  const say = (button: string, title: string, confirm: string, done: string, ...notes: readonly string[]) => ({
    ...{ button, title, done, takesReason, isDangerous: next.isBlocked },
    confirm: (hasReason: boolean) =>
      takesReason ? `${confirm} ${hasReason ? "with this reason" : "without a reason"}` : confirm,
    notes: isReported ? [...notes, reported] : notes,
  });
  if (next.isBlocked) return say("Block…", `Block ${name}?`, "Block", `${name} is blocked`);
  if (from.isBlocked) {
    const becomes = `This version, ${label}, becomes ${stateNames[next.status]}.`;
    return say("Unblock…", `Unblock ${name}?`, "Unblock", `${name} is no longer blocked`, becomes);
  }
  switch (next.status) {
    case "STAGING":
      if (!wasAccepted) {
        const button = "Approve to staging";
        return say(button, `Approve ${version} to staging?`, button, `${label} is in staging`);
      }
      return say(
        "Move back to staging…",
        `Move ${version} back to staging?`,
        "Move to staging",
        `${label} is back in staging`,
        "This version loses its permissions in production, and the app may stop working there.",
      );
    case "ACCEPTED":
      return say(
        "Approve for production…",
        `Approve ${version} for production?`,
        "Approve for production",
        `${label} is approved`,
        ...(from.status === "PENDING" ? ["This version was never in staging."] : []),
      );
    case "LIMITED":
      return say(
        "Limit…",
        `Limit ${version}?`,
        "Limit",
        `${label} is limited`,
        "Everything new in this version is withheld. The permissions of the last approved version and of the default groups stay.",
        ...(wasAccepted ? ["This version loses its permissions, and the app may stop working."] : []),
      );
    case "PENDING":
      return say(
        "Move back to pending…",
        `Move ${version} back to pending?`,
        "Move to pending",
        `${label} waits for review again`,
      );
  }
}
