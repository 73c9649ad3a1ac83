"use client";
import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { cn } from "@/app/_components/ui/cn";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import { changeAddress } from "@/app/_components/list/list-address";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
  /** The same where it stands among other filters. */
  readonly short?: string;
}

export interface FilterMenuProps {
  readonly parameter: string;
  readonly choices: readonly FilterChoice[];
  readonly anyLabel?: string;
}

/** The choices of a filter, with its button. */
export function FilterMenuLayer({
  trigger,
  triggerRef,
  defaultOpen,
  parameter,
  choices,
  anyLabel = "Any",
}: Readonly<LayerProps & FilterMenuProps>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const value = query.get(parameter);
  return (
    <Menu.Root defaultOpen={defaultOpen}>
      <Menu.Trigger ref={triggerRef} render={trigger} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50 outline-none">
          <Menu.Popup
            className={cn(popupClass, "max-h-[min(24rem,var(--available-height))] min-w-44 overflow-y-auto p-1")}
          >
            <Menu.RadioGroup
              value={choices.some((choice) => choice.value === value) ? value : ""}
              onValueChange={(next: string) => {
                router.push(changeAddress(pathname, query, { [parameter]: next }), { scroll: false });
              }}
            >
              {[{ value: "", label: anyLabel }, ...choices].map((choice) => (
                <Menu.RadioItem key={choice.value} value={choice.value} closeOnClick className={itemClass}>
                  <span className="grow">{choice.label}</span>
                  <Menu.RadioItemIndicator>
                    <Check aria-hidden="true" className="text-link" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
