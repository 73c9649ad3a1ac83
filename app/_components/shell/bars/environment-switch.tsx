import { Link } from "@/app/_components/ui/link";
import { usePathname, useSearchParams } from "next/navigation";
import { cn } from "@/app/_components/ui/cn";
import { changeAddress } from "@/app/_components/list/list-address";
import { environmentUse } from "@/app/_components/shell/navigation/sections";
import { usePageEnvironment } from "@/app/_components/shell/bars/environment";
import { environments } from "@/lib/labels/vocabulary";

const names = { staging: "Staging", production: "Production" } as const;

/**
 * Switches the page between staging and production: two addresses, so two links. What narrows a list stays, the place
 * within it does not. As with all links, unsaved changes are asked about first.
 */
export function EnvironmentSwitch() {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const environment = usePageEnvironment();
  if (environmentUse(pathname, parameters.get("tab")) !== "switch") return null;
  return (
    <div role="group" aria-label="Environment" className="flex rounded-control border border-edge bg-surface p-px">
      {environments.map((name) => (
        <Link
          key={name}
          href={changeAddress(pathname, parameters, { environment: name, item: null })}
          aria-current={name === environment ? "true" : undefined}
          className={cn(
            "flex h-6.5 items-center rounded-[5px] px-2 text-table font-medium no-underline transition-colors duration-100 max-sm:px-1.5 pointer-coarse:h-10",
            name === environment ? "bg-active text-text" : "text-muted hover:text-text",
          )}
        >
          {names[name]}
        </Link>
      ))}
    </div>
  );
}
