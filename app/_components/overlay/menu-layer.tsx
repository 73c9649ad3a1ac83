"use client";
import { Menu as Base } from "@base-ui/react/menu";
import type { LucideIcon } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { cn } from "@/app/_components/ui/cn";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";

export type MenuEntry =
  | "separator"
  | {
      readonly label: string;
      readonly icon?: LucideIcon;
      /** Leads somewhere; else `onSelect` does something. */
      readonly href?: string;
      readonly onSelect?: () => void;
      readonly danger?: boolean;
      /** Why it is not possible now; shown below the label. */
      readonly disabledReason?: string | null | undefined;
    };

export interface MenuProps {
  readonly entries: readonly MenuEntry[];
  readonly align?: "start" | "end";
}

/** The menu itself, with its button. */
export function MenuLayer({
  trigger,
  triggerRef,
  defaultOpen,
  entries,
  align = "end",
}: Readonly<LayerProps & MenuProps>) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger ref={triggerRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50 outline-none">
          <Base.Popup className={cn(popupClass, "max-h-(--available-height) min-w-44 overflow-y-auto p-1")}>
            {entries.map((entry, index) =>
              entry === "separator" ? (
                <Base.Separator key={index} className="my-1 h-px bg-line" />
              ) : (
                <Entry key={entry.label} {...entry} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({
  label,
  icon: Icon,
  href,
  onSelect,
  danger = false,
  disabledReason,
}: Readonly<Exclude<MenuEntry, "separator">>) {
  const content = (
    <>
      {Icon && <Icon aria-hidden="true" className={danger ? "" : "text-muted"} />}
      <span>
        {label}
        {disabledReason && <span className="block text-xs text-muted">{disabledReason}</span>}
      </span>
    </>
  );
  const className = cn(itemClass, danger && "text-bad");
  if (href !== undefined && !disabledReason) {
    return (
      <Base.LinkItem render={<Link href={href} />} closeOnClick className={className}>
        {content}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item disabled={Boolean(disabledReason)} onClick={() => onSelect?.()} className={className}>
      {content}
    </Base.Item>
  );
}
