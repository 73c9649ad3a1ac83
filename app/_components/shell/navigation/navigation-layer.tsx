"use client";
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useState } from "react";
import { backdropClass } from "@/app/_components/overlay/dialog-class";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import { SideNavigation } from "@/app/_components/shell/navigation/side-navigation";

/** The side navigation as a panel, with its button. */
export function NavigationLayer({
  trigger,
  triggerRef,
  defaultOpen,
  version,
}: Readonly<LayerProps & { version: string }>) {
  const [isOpen, setIsOpen] = useState(defaultOpen);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger ref={triggerRef} render={trigger} />
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r border-line bg-raised text-text shadow-dialog outline-none transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex h-(--header) items-center justify-between pr-2 pl-4">
            <Dialog.Title className="font-semibold">Policy Server</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <div className="min-h-0 grow">
            <SideNavigation
              version={version}
              onLeave={() => {
                setIsOpen(false);
              }}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
