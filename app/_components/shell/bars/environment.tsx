"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
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

/** The environment that the page shows, as `?environment=` says in any letter case; null where it has none. */
export function usePageEnvironment(): Environment | null {
  const pathname = usePathname();
  const parameters = useSearchParams();
  const parameter = parameters.get("environment")?.toLowerCase();
  const [told] = use(ToldContext);
  if (environmentUse(pathname, parameters.get("tab")) === "none") return null;
  if (told?.pathname === pathname) return told.environment;
  return environments.find((name) => name === parameter) ?? "staging";
}

/** Put into a page whose environment follows from its item and not from the address. */
export function TellEnvironment({ environment }: Readonly<{ environment: Environment }>) {
  const pathname = usePathname();
  const [, tell] = use(ToldContext);
  useEffect(() => {
    tell({ pathname, environment });
  }, [tell, pathname, environment]);
  return null;
}
