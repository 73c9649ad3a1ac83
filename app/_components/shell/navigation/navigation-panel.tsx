import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { backdropClass } from "@/app/_components/overlay/dialog-class";
import type { OpenState } from "@/app/_components/overlay/opener";
import { SideNavigation } from "@/app/_components/shell/navigation/side-navigation";
import { IconButton } from "@/app/_components/ui/icon-button";

export function NavigationPanel({ open, onOpenChange, version }: Readonly<OpenState & { version: string }>) {
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r border-line bg-raised text-text shadow-dialog outline-none transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex h-(--header) items-center justify-between pr-2 pl-4">
            <Dialog.Title className="font-semibold">Policy Server</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <div className="min-h-0 grow">
            <SideNavigation version={version} onLeave={() => onOpenChange(false)} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
