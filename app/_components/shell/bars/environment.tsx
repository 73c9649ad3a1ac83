"use client";
import { FlaskConical, Lock } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { changeAddress } from "@/app/_components/list/list-address";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { environmentUse } from "@/app/_components/shell/navigation/sections";
import { type Environment, environments } from "@/lib/vocabulary/terms";

interface Told {
  readonly pathname: string;
  readonly environment: Environment;
}

const ToldContext = createContext<readonly [Told | null, (told: Told) => void]>([null, () => undefined]);

export function EnvironmentProvider({ children }: Readonly<{ children: ReactNode }>) {
  const state = useState<Told | null>(null);
  return <ToldContext value={state}>{children}</ToldContext>;
}

/** In any letter case; null if the page has none. */
function usePageEnvironment(): Environment | null {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const parameter = parameters.get("environment")?.toLowerCase();
  const [told] = use(ToldContext);
  if (environmentUse(pathname, parameters.get("tab")) === "none") return null;
  if (told?.pathname === pathname) return told.environment;
  return environments.find((name) => name === parameter) ?? "staging";
}

/** For pages whose environment follows from their item and not from the address. */
export function ReportEnvironment({ environment }: Readonly<{ environment: Environment }>) {
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
    note: null,
    words: "Changes are saved here and reach production when you publish them",
    className: "border-warn-line bg-warn-soft text-warn",
  },
  production: {
    icon: Lock,
    name: "Production",
    note: "Read-only",
    words: "What vehicles receive now",
    className: "border-calm-line bg-calm-soft text-calm",
  },
} as const;

export function EnvironmentStrip() {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const environment = usePageEnvironment();
  if (environment === null) return null;
  const { icon: Icon, name, note, words, className } = strips[environment];
  const canSwitch = environmentUse(pathname, parameters.get("tab")) === "switch";
  return (
    <div
      data-environment-strip={environment}
      className={cn("flex h-(--strip) items-center gap-2 border-b px-4 text-xs md:px-6", className)}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {canSwitch ? (
        <EnvironmentSwitch environment={environment} pathname={pathname} parameters={parameters} />
      ) : (
        <strong className="font-semibold whitespace-nowrap">{name}</strong>
      )}
      {note && <strong className="font-semibold whitespace-nowrap">{note}</strong>}
      <span className="truncate max-sm:sr-only">{words}</span>
    </div>
  );
}

/** Filters stay, the place within a list does not. */
function EnvironmentSwitch({
  environment,
  pathname,
  parameters,
}: Readonly<{ environment: Environment; pathname: string; parameters: URLSearchParams }>) {
  return (
    <div
      role="group"
      aria-label="Environment"
      className="mr-1 flex shrink-0 rounded-control border border-edge bg-surface"
    >
      {environments.map((name) => (
        <Link
          key={name}
          href={changeAddress(pathname, parameters, { environment: name, item: null })}
          aria-current={name === environment ? "true" : undefined}
          className={cn(
            "flex h-6.5 items-center rounded-[5px] px-2 text-table font-medium whitespace-nowrap no-underline transition-colors duration-100 pointer-coarse:h-10",
            name === environment ? "bg-active text-text" : "text-muted hover:text-text",
          )}
        >
          {strips[name].name}
        </Link>
      ))}
    </div>
  );
}
