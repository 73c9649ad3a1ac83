"use client";
import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { itemFamily } from "@/app/(console)/vehicledata/item-family";
import { PromotionList } from "@/app/(console)/vehicledata/promotion-list";
import { followStored } from "@/app/_records/follow-stored";
import { PromoteDialog as SharedDialog } from "@/app/_records/promote-dialog";
import type { PendingItem } from "@/lib/vehicle-data/console-queries";

/** Shows exactly what goes to production, then has it go. Vehicle data is promoted all together. */
export function PromoteDialog({
  items,
  onClose,
  nextHref,
}: Readonly<{
  items: readonly PendingItem[];
  onClose: () => void;
  /** Where the reader is led afterwards; the page in view stays without it. */
  nextHref?: string | undefined;
}>) {
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
      nextHref={nextHref}
      onPromoted={() =>
        followStored(
          itemFamily,
          items.map(({ name }) => name),
        )
      }
      // What goes is shown as it is now, before it can be agreed to.
      disabledReason={isLoading ? " " : null}
      effect={<PromotionList items={items} />}
    >
      <p>Vehicle data goes to production all together; what is not to go yet must be taken back before.</p>
    </SharedDialog>
  );
}
