"use client";
import { Menu } from "@base-ui/react/menu";
import { Check, ChevronDown } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { cn } from "@/app/_components/cn";
import { buttonClass } from "@/app/_components/button-class";
import { changeAddress } from "@/app/_components/list/list-address";
import { itemClass, popupClass } from "@/app/_components/popup-class";

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** Narrows a list by one parameter of its address. */
export function FilterMenu({
  label,
  parameter,
  choices,
  anyLabel = "Any",
}: Readonly<{ label: string; parameter: string; choices: readonly FilterChoice[]; anyLabel?: string }>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const value = query.get(parameter) ?? "";
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Menu.Root>
      <Menu.Trigger
        className={cn(buttonClass(), "font-normal", chosen && "border-accent-line bg-accent-soft hover:bg-accent-soft")}
      >
        <span className={chosen ? "" : "text-muted"}>{label}</span>
        {chosen && <strong className="max-w-40 truncate font-medium">{chosen.label}</strong>}
        <ChevronDown aria-hidden="true" className="text-muted" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50 outline-none">
          <Menu.Popup
            className={cn(popupClass, "max-h-[min(24rem,var(--available-height))] min-w-44 overflow-y-auto p-1")}
          >
            <Menu.RadioGroup
              value={chosen?.value ?? ""}
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
