"use client";
import { FlaskConical, Lock } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { changeAddress } from "@/app/_components/list/list-address";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { environmentUse } from "@/app/_components/shell/navigation/sections";
import { type Environment, environments } from "@/lib/labels/vocabulary";

interface Told {
  readonly pathname: string;
  readonly environment: Environment;
}

const ToldContext = createContext<readonly [Told | null, (told: Told) => void]>([null, () => undefined]);

export function EnvironmentProvider({ children }: Readonly<{ children: ReactNode }>) {
  const state = useState<Told | null>(null);
  return <ToldContext value={state}>{children}</ToldContext>;
}

/** The page's environment, from `?environment=` in any letter case; null if it has none. */
export function usePageEnvironment(): Environment | null {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const parameter = parameters.get("environment")?.toLowerCase();
  const [told] = use(ToldContext);
  if (environmentUse(pathname, parameters.get("tab")) === "none") return null;
  if (told?.pathname === pathname) return told.environment;
  return environments.find((name) => name === parameter) ?? "staging";
}

/** For pages whose environment follows from their item and not from the address. */
export function TellEnvironment({ environment }: Readonly<{ environment: Environment }>) {
  const pathname = usePathname();
  const [, tell] = use(ToldContext);
  useEffect(() => {
    tell({ pathname, environment });
  }, [tell, pathname, environment]);
  return null;
}

const strips = {
  staging: {
    icon: FlaskConical,
    name: "Staging",
    words: "Changes are saved here and reach production when you publish them",
    className: "border-warn-line bg-warn-soft text-warn",
  },
  production: {
    icon: Lock,
    name: "Production · read-only",
    words: "What vehicles receive now",
    className: "border-calm-line bg-calm-soft text-calm",
  },
} as const;

export function EnvironmentStrip() {
  const environment = usePageEnvironment();
  if (environment === null) return null;
  const { icon: Icon, name, words, className } = strips[environment];
  return (
    <div
      data-environment-strip={environment}
      className={cn("flex h-7 items-center gap-2 border-b px-4 text-xs md:px-6", className)}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <strong className="font-semibold whitespace-nowrap">{name}</strong>
      <span className="truncate max-sm:sr-only">{words}</span>
    </div>
  );
}

const names = { staging: "Staging", production: "Production" } as const;

/**
 * Switches the page between staging and production with two links. Filters stay, the place within a list does not. Like
 * all links, they ask about unsaved changes first.
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
