import { Ban, CircleCheck, CircleDashed, CircleMinus, FlaskConical, PenLine, Sparkles, Trash2 } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import type { AppState } from "@/lib/apps/applications/versions";
import type { RecordStatus } from "@/lib/vocabulary/terms";

const approvals = {
  PENDING: { tone: "warn", icon: CircleDashed, word: "Pending" },
  STAGING: { tone: "accent", icon: FlaskConical, word: "In staging" },
  ACCEPTED: { tone: "good", icon: CircleCheck, word: "Approved" },
  LIMITED: { tone: "bad", icon: CircleMinus, word: "Limited" },
  BLOCKED: { tone: "calm", icon: Ban, word: "Blocked", className: "border-text text-text" },
} as const satisfies Record<AppState, object>;

export function ApprovalChip({ state }: Readonly<{ state: AppState }>) {
  const { word, ...look } = approvals[state];
  return <Chip {...look}>{word}</Chip>;
}

export function RecordChip({
  status,
  isDeleted,
  isNew = false,
}: Readonly<{
  status: RecordStatus;
  isDeleted: boolean;
  /** Never promoted; unknown counts as modified. */
  isNew?: boolean;
}>) {
  if (status === "PRODUCTION") {
    return (
      <Chip tone="plain" icon={CircleCheck} className="text-text [&>svg]:text-good">
        In production
      </Chip>
    );
  }
  if (isDeleted) {
    return (
      <Chip tone="bad" icon={Trash2}>
        Deletion pending
      </Chip>
    );
  }
  return isNew ? (
    <Chip tone="accent" icon={Sparkles}>
      New
    </Chip>
  ) : (
    <Chip tone="warn" icon={PenLine}>
      Modified
    </Chip>
  );
}
