"use client";
import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { PromotionList } from "@/app/(console)/vehicledata/promotion-list";
import { Notice } from "@/app/_components/notice";
import { PromoteDialog as SharedDialog } from "@/app/_components/promote-dialog";
import type { PendingItem } from "@/lib/vehicle-data/console-queries";

/** Shows exactly what goes to production, then has it go. Vehicle data is promoted all together. */
export function PromoteDialog({
  items,
  onClose,
  warning = null,
}: Readonly<{ items: readonly PendingItem[]; onClose: () => void; warning?: string | null }>) {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  // Somebody else may have saved since the page was loaded, and it would go along.
  useEffect(() => {
    startLoading(() => {
      router.refresh();
    });
  }, [router]);
  return (
    <SharedDialog
      path="/api/v1/vehicle-data/promote"
      items={items.map(({ id, name, kind, isInProduction }) => ({
        id,
        name,
        isDeleted: kind === "deleted",
        isNew: !isInProduction,
      }))}
      word="item"
      onClose={onClose}
      disabledReason={
        items.length === 0 && !isLoading ? "Nothing to promote: production has all items as they are." : null
      }
      effect={<PromotionList items={items} />}
    >
      {warning !== null && <Notice className="text-text">{warning}</Notice>}
      <p>Vehicle data goes to production all together; what is not to go yet must be taken back before.</p>
    </SharedDialog>
  );
}
