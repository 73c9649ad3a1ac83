"use client";
import { Menu } from "@base-ui/react/menu";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { cn } from "@/app/_components/ui/cn";
import type { LayerProps } from "@/app/_components/overlay/lazy-layer";
import { itemClass, popupClass } from "@/app/_components/overlay/popup-class";

const themes = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "system", label: "As the system", icon: Monitor },
] as const;

/** The choice of themes, with its button. */
export function ThemeMenuLayer({ trigger, triggerRef, defaultOpen }: Readonly<LayerProps>) {
  const { theme, setTheme } = useTheme();
  return (
    <Menu.Root defaultOpen={defaultOpen}>
      <Menu.Trigger ref={triggerRef} render={trigger} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Menu.Popup className={cn(popupClass, "min-w-44 p-1")}>
            <Menu.RadioGroup
              value={theme}
              onValueChange={(value: string) => {
                setTheme(value);
              }}
            >
              {themes.map(({ value, label, icon: Icon }) => (
                <Menu.RadioItem key={value} value={value} closeOnClick className={itemClass}>
                  <Icon aria-hidden="true" className="text-muted" />
                  <span className="grow">{label}</span>
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
