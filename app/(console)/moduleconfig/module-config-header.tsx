import type { ReactNode } from "react";
import { guides } from "@/app/_components/guides";
import { PageHeader } from "@/app/_components/ui/page-header";
import { RecordChip } from "@/app/_components/ui/status-chip";
import type { RecordStatus } from "@/lib/labels/vocabulary";

export function ModuleConfigHeader({
  status,
  actions,
}: Readonly<{
  /** Null: nothing is stored. */
  status: RecordStatus | null;
  actions?: ReactNode;
}>) {
  return (
    <PageHeader
      title="Module config"
      helpHref={guides.moduleConfig}
      description="When head units request a new table, which addresses they use, and how many notifications apps may show."
      state={status !== null && <RecordChip status={status} isDeleted={false} />}
      actions={actions}
    />
  );
}
