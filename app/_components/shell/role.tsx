"use client";
import { createContext, use, type ReactNode } from "react";
import { useOnline } from "@/app/_components/hooks/use-online";
import { describeRole, mayDo, type Need, type Role, roleFor } from "@/lib/labels/roles";

const RoleContext = createContext<Role>("admin");

/** Tells the parts of a page what the reader may do. The server asks again; this is for what is shown as off. */
export function RoleProvider({ role, children }: Readonly<{ role: Role; children: ReactNode }>) {
  return <RoleContext value={role}>{children}</RoleContext>;
}

export function useRole(): Role {
  return use(RoleContext);
}

export interface Needs {
  /** It asks the server to do something: without a connection it is off and says so. */
  readonly needsServer?: boolean;
  /** What the reader must be allowed to: it is off for others and says why (`people.md` P8). */
  readonly needs?: Need;
}

/** Why something is off: there is no connection, or the reader may not do it; null: it is on. */
export function useObstacle(needsServer: boolean, need: Need | undefined): string | null {
  const isCutOff = !useOnline() && needsServer;
  return describeLack(useRole(), need) ?? (isCutOff ? "Not available without a connection to the server" : null);
}

/** Why a reader in this role may not do something (`people.md` P8); null: they may, or nothing is needed. */
export function describeLack(role: Role, need: Need | undefined): string | null {
  if (need === undefined || mayDo(role, need)) return null;
  return `This needs the role ${roleFor[need]}; you are ${describeRole(role)}.`;
}
