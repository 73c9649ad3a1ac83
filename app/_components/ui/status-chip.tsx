import { Ban, CircleCheck, CircleDashed, CircleMinus, FlaskConical, PenLine, Sparkles, Trash2 } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import type { ApprovalStatus, RecordStatus } from "@/lib/vocabulary/terms";

const approvals = {
  PENDING: { tone: "warn", icon: CircleDashed, word: "Pending" },
  STAGING: { tone: "accent", icon: FlaskConical, word: "In staging" },
  ACCEPTED: { tone: "good", icon: CircleCheck, word: "Approved" },
  LIMITED: { tone: "bad", icon: CircleMinus, word: "Limited" },
} as const satisfies Record<ApprovalStatus, object>;

/** "blocked" takes precedence. */
export function ApprovalChip({ status, isBlocked = false }: Readonly<{ status: ApprovalStatus; isBlocked?: boolean }>) {
  if (isBlocked) {
    return (
      <Chip tone="calm" icon={Ban} className="border-text text-text">
        Blocked
      </Chip>
    );
  }
  const { tone, icon, word } = approvals[status];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
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
