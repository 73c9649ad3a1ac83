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

/** `from`: the previous state of the version; default: its present state. */
export function buildDecisionLabels(
  next: DecidedState,
  subject: Subject,
  from: DecidedState = subject,
): DecisionLabels {
  const { name } = subject;
  const label = labelOf(subject, subject.id);
  const plain = { takesReason: false, isDangerous: false };
  if (next.isBlocked) {
    return {
      button: "Block…",
      title: `Block ${name}?`,
      confirm: (hasReason) => (hasReason ? "Block with this reason" : "Block without a reason"),
      done: `${name} is blocked`,
      notes: [reported],
      takesReason: true,
      isDangerous: true,
    };
  }
  if (from.isBlocked) {
    return {
      ...plain,
      button: "Unblock…",
      title: `Unblock ${name}?`,
      confirm: () => "Unblock",
      done: `${name} is no longer blocked`,
      notes: [`This version, ${label}, becomes ${stateNames[next.status]}.`, ...(isReported(next) ? [reported] : [])],
    };
  }
  switch (next.status) {
    case "STAGING":
      return from.status === "ACCEPTED"
        ? {
            ...plain,
            button: "Move back to staging…",
            title: `Move ${label} of ${name} back to staging?`,
            confirm: () => "Move to staging",
            done: `${label} is back in staging`,
            notes: ["This version loses its permissions in production, and the app may stop working there."],
          }
        : {
            ...plain,
            button: "Approve to staging",
            title: `Approve ${label} of ${name} to staging?`,
            confirm: () => "Approve to staging",
            done: `${label} is in staging`,
            notes: [],
          };
    case "ACCEPTED":
      return {
        ...plain,
        button: "Approve for production…",
        title: `Approve ${label} of ${name} for production?`,
        confirm: () => "Approve for production",
        done: `${label} is approved`,
        notes: [...(from.status === "PENDING" ? ["This version was never in staging."] : []), reported],
      };
    case "LIMITED":
      return {
        button: "Limit…",
        title: `Limit ${label} of ${name}?`,
        confirm: (hasReason) => (hasReason ? "Limit with this reason" : "Limit without a reason"),
        done: `${label} is limited`,
        notes: [
          "Everything new in this version is withheld. The permissions of the last approved version and of the default groups stay.",
          ...(from.status === "ACCEPTED" ? ["This version loses its permissions, and the app may stop working."] : []),
          reported,
        ],
        takesReason: true,
        isDangerous: false,
      };
    case "PENDING":
      return {
        ...plain,
        button: "Move back to pending…",
        title: `Move ${label} of ${name} back to pending?`,
        confirm: () => "Move to pending",
        done: `${label} waits for review again`,
        notes: [],
      };
  }
}

const stateNames = { PENDING: "pending", STAGING: "in staging", ACCEPTED: "approved", LIMITED: "limited" } as const;

function isReported({ status }: DecidedState): boolean {
  return status === "ACCEPTED" || status === "LIMITED";
}
