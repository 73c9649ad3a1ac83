"use client";
import { createContext, use, type ReactNode } from "react";
import { describeRole, mayDo, type Need, type Role, roleFor } from "@/lib/labels/roles";

const RoleContext = createContext<Role>("admin");

/** Tells the parts of a page what the reader may do. The server asks again; this is for what is shown as off. */
export function RoleProvider({ role, children }: Readonly<{ role: Role; children: ReactNode }>) {
  return <RoleContext value={role}>{children}</RoleContext>;
}

export function useRole(): Role {
  return use(RoleContext);
}

/** Why the reader may not do something (`people.md` P8); null: they may, or nothing is needed. */
export function useLack(need: Need | undefined): string | null {
  return describeLack(useRole(), need);
}

/** As `useLack`, for whoever has asked for the role already. */
export function describeLack(role: Role, need: Need | undefined): string | null {
  if (need === undefined || mayDo(role, need)) return null;
  return `This needs the role ${roleFor[need]}; you are ${describeRole(role)}.`;
}
