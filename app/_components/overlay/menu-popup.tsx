import { Menu as Base } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import { useRef } from "react";
import { Link } from "@/app/_components/ui/link";
import { cn } from "@/app/_components/ui/cn";
import type { Opened } from "@/app/_components/overlay/opener";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";

export type MenuEntry =
  | "separator"
  | {
      readonly label: string;
      readonly icon?: LucideIcon;
      readonly href?: string;
      readonly onSelect?: () => void;
      readonly danger?: boolean;
      readonly disabledReason?: string | null | undefined;
    };

export interface MenuChoice {
  readonly value: string | undefined;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly icon?: LucideIcon }[];
  readonly onChoose: (value: string) => void;
}

export interface MenuSwitches {
  readonly heading: string;
  readonly switches: readonly { readonly id: string; readonly label: string; readonly isOn: boolean }[];
  readonly onSwitch: (id: string, isOn: boolean) => void;
  /** Undefined: all have their defaults. */
  readonly reset?: { readonly label: string; readonly onSelect: () => void } | undefined;
}

type MenuPart = MenuEntry | MenuChoice | MenuSwitches;

export interface MenuProps {
  /** A function is called when the menu opens. */
  readonly entries: readonly MenuPart[] | (() => readonly MenuPart[]);
  readonly align?: "start" | "end";
}

export function MenuPopup({
  open,
  onOpenChange,
  anchor,
  anchorId,
  isByKeys,
  entries,
  align = "end",
}: Readonly<Opened & MenuProps>) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align={align} className="z-50 outline-none">
          <Base.Popup
            ref={popup}
            aria-labelledby={anchorId}
            {...(isByKeys && { initialFocus: () => popup.current?.querySelector<HTMLElement>(firstItem) })}
            className={cn(popupClass, "max-h-[min(32rem,var(--available-height))] min-w-44 overflow-y-auto p-1")}
          >
            {(typeof entries === "function" ? entries() : entries).map((entry, index) => (
              <Part key={index} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const firstItem = "[role^=menuitem]:not([aria-disabled=true])";

function Part({ entry }: Readonly<{ entry: MenuPart }>) {
  if (entry === "separator") return <Base.Separator className="my-1 h-px bg-line" />;
  if ("choices" in entry) return <Choice {...entry} />;
  return "switches" in entry ? <Switches {...entry} /> : <Entry {...entry} />;
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

function Choice({ value, choices, onChoose }: Readonly<MenuChoice>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(chosen: string) => onChoose(chosen)}>
      {choices.map(({ value: one, label, icon: Icon }) => (
        <Base.RadioItem key={one} value={one} closeOnClick className={itemClass}>
          {Icon && <Icon aria-hidden="true" className="text-muted" />}
          <span className="grow">{label}</span>
          <Base.RadioItemIndicator>{check}</Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

function Switches({ heading, switches, onSwitch, reset }: Readonly<MenuSwitches>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 py-1 text-xs font-semibold text-muted">{heading}</Base.GroupLabel>
      {switches.map(({ id, label, isOn }) => (
        <Base.CheckboxItem
          key={id}
          checked={isOn}
          closeOnClick={false}
          onCheckedChange={(next) => onSwitch(id, next)}
          className={itemClass}
        >
          <span className="grow">{label}</span>
          <Base.CheckboxItemIndicator>{check}</Base.CheckboxItemIndicator>
        </Base.CheckboxItem>
      ))}
      {reset && (
        <Base.Item closeOnClick={false} onClick={reset.onSelect} className={cn(itemClass, "text-link")}>
          {reset.label}
        </Base.Item>
      )}
    </Base.Group>
  );
}

const check = <Check aria-hidden="true" className="text-link" />;
