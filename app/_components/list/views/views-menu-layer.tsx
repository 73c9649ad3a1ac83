"use client";
import { Menu } from "@base-ui/react/menu";
import { BookmarkPlus, Check, Trash2 } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { cn } from "@/app/_components/ui/cn";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import { DeleteViewDialog } from "@/app/_components/list/views/delete-view-dialog";
import { SaveViewDialog } from "@/app/_components/list/views/save-view-dialog";
import { findCurrent, queryOfView, viewHref } from "@/app/_components/list/views/saved-views";
import { useSavedViews } from "@/app/_components/list/views/use-saved-views";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";
import { useNavigate } from "@/app/_components/hooks/use-navigate";

/** The views of the list, with their button and dialogs. */
export function ViewsMenuLayer({ trigger, triggerRef, defaultOpen }: Readonly<LayerProps>) {
  const path = usePathname();
  const address = useSearchParams();
  const navigate = useNavigate();
  const saved = useSavedViews(path);
  const { views } = saved;
  const [dialog, setDialog] = useState<"save" | "delete" | null>(null);
  const current = findCurrent(views, address);
  const close = () => {
    setDialog(null);
  };
  return (
    <>
      <Menu.Root defaultOpen={defaultOpen}>
        <Menu.Trigger ref={triggerRef} render={trigger} />
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className="z-50 outline-none">
            <Menu.Popup className={cn(popupClass, "max-h-(--available-height) max-w-80 min-w-52 overflow-y-auto p-1")}>
              {views.length > 0 && (
                <>
                  <Menu.RadioGroup
                    value={current?.name ?? ""}
                    onValueChange={(name: string) => {
                      const chosen = views.find((view) => view.name === name);
                      if (chosen) navigate(viewHref(path, chosen));
                    }}
                  >
                    <Menu.GroupLabel className="px-2 py-1 text-xs font-semibold text-muted">
                      Saved views
                    </Menu.GroupLabel>
                    {views.map(({ name }) => (
                      <Menu.RadioItem key={name} value={name} closeOnClick className={itemClass}>
                        <span className="min-w-0 grow wrap-break-word">{name}</span>
                        <Menu.RadioItemIndicator>
                          <Check aria-hidden="true" className="text-link" />
                        </Menu.RadioItemIndicator>
                      </Menu.RadioItem>
                    ))}
                  </Menu.RadioGroup>
                  <Menu.Separator className="my-1 h-px bg-line" />
                </>
              )}
              <Menu.Item
                className={itemClass}
                onClick={() => {
                  setDialog("save");
                }}
              >
                <BookmarkPlus aria-hidden="true" className="text-muted" />
                Save this view…
              </Menu.Item>
              {views.length > 0 && (
                <Menu.Item
                  className={itemClass}
                  onClick={() => {
                    setDialog("delete");
                  }}
                >
                  <Trash2 aria-hidden="true" className="text-muted" />
                  Delete view…
                </Menu.Item>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {dialog === "save" && <SaveViewDialog saved={saved} query={queryOfView(address)} onClose={close} />}
      {dialog === "delete" && <DeleteViewDialog saved={saved} current={current} onClose={close} />}
    </>
  );
}
