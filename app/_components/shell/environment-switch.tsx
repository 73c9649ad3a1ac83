"use client";
import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import { usePathname, useSearchParams } from "next/navigation";
import { changeAddress } from "@/app/_components/list/list-address";
import { environmentUse } from "@/app/_components/shell/sections";
import { usePageEnvironment } from "@/app/_components/shell/environment";
import { useNavigate } from "@/app/_components/use-navigate";
import { environments } from "@/lib/policy/vocabulary";

const names = { staging: "Staging", production: "Production" } as const;

/**
 * Switches the page between staging and production, in the address; other parameters that narrow a list stay, the
 * place within it does not. Asks first when there are unsaved changes.
 */
export function EnvironmentSwitch() {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const environment = usePageEnvironment();
  const navigate = useNavigate();
  if (environmentUse(pathname) !== "switch") return null;

  function change(next: string | undefined) {
    if (next === undefined || next === environment) return;
    navigate(changeAddress(pathname, parameters, { environment: next, item: null }));
  }

  return (
    <ToggleGroup
      aria-label="Environment"
      value={environment === null ? [] : [environment]}
      onValueChange={([next]) => {
        change(next);
      }}
      className="flex rounded-control border border-edge bg-surface p-px"
    >
      {environments.map((name) => (
        <Toggle
          key={name}
          value={name}
          className="h-6.5 rounded-[5px] px-2 text-table font-medium text-muted transition-colors duration-100 hover:text-text data-pressed:bg-active data-pressed:text-text max-sm:px-1.5 pointer-coarse:h-10"
        >
          {names[name]}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
