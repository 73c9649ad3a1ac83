import { Dialog } from "@base-ui/react/dialog";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { WantedPermission } from "@/app/(console)/functionalgroups/group-form";
import { cn } from "@/app/_components/ui/cn";
import { backdropClass } from "@/app/_components/overlay/dialog-class";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import type { OpenState } from "@/app/_components/overlay/opener";
import type { PaletteItem } from "@/app/_components/shell/palette/command-palette-items";
import { noteRecent } from "@/app/_components/shell/palette/command-palette-recent";
import { PaletteSearchList } from "@/app/_components/shell/palette/command-palette-list";

const AddToGroup = dialogOnDemand(() =>
  import("@/app/_components/shell/palette/command-palette-add").then((m) => m.CommandPaletteAdd),
);

const viewportClass = "fixed inset-0 z-40 flex items-start justify-center overflow-hidden p-3 sm:px-6 sm:pt-[12vh]";
const paletteClass =
  "flex h-[min(32rem,100%)] w-full flex-col overflow-hidden rounded-xl border border-line bg-raised text-text shadow-dialog outline-none transition-opacity duration-100 data-ending-style:duration-0 data-starting-style:opacity-0 sm:max-w-2xl";

export function CommandPaletteDialog({
  open,
  onOpenChange,
  canSignOut,
}: Readonly<OpenState & { canSignOut: boolean }>) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState<WantedPermission | null>(null);
  const chosen = useRef<PaletteItem | null>(null);

  /** Runs after the palette has closed: otherwise a dialog opened now would lose the focus to the previous element. */
  function act() {
    const item = chosen.current;
    chosen.current = null;
    if (item === null) return;
    if ("href" in item.act) {
      noteRecent({ label: item.recentLabel ?? item.label, href: item.act.href, kind: item.kind });
      router.push(item.act.href);
    } else if ("addToGroup" in item.act) setWanted(item.act.addToGroup);
    else item.act.run();
  }

  return (
    <>
      <Dialog.Root
        open={open}
        onOpenChange={(isOpen) => onOpenChange(isOpen)}
        onOpenChangeComplete={(isOpen) => {
          if (!isOpen) act();
        }}
      >
        <Dialog.Portal>
          <Dialog.Backdrop className={cn(backdropClass, "duration-100 data-ending-style:duration-0")} />
          <Dialog.Viewport className={viewportClass}>
            <Dialog.Popup className={paletteClass} initialFocus={input}>
              <Dialog.Title className="sr-only">Search everything</Dialog.Title>
              <PaletteSearchList
                inputRef={input}
                canSignOut={canSignOut}
                onChoose={(item) => {
                  chosen.current = item;
                  onOpenChange(false);
                }}
              />
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
      {wanted && <AddToGroup wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  );
}
