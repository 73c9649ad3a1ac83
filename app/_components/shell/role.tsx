"use client";
import { createContext, use, type ReactNode } from "react";
import { useOnline } from "@/app/_components/hooks/use-online";
import { describeRole, mayDo, type Need, type Role, roleFor } from "@/lib/vocabulary/roles";

const RoleContext = createContext<Role>("admin");
const ReaderContext = createContext<string | null>(null);

/** Only decides what is disabled: the server checks every request. */
export function RoleProvider({
  role,
  readerId = null,
  children,
}: Readonly<{ role: Role; readerId?: string | null; children: ReactNode }>) {
  return (
    <ReaderContext value={readerId}>
      <RoleContext value={role}>{children}</RoleContext>
    </ReaderContext>
  );
}

export function useRole(): Role {
  return use(RoleContext);
}

/** Null: the reader shares an id with others, such as a password. */
export function useReaderId(): string | null {
  return use(ReaderContext);
}

export interface Needs {
  /** Disabled while offline, and says so. */
  readonly needsServer?: boolean;
  /** Without this permission, it is disabled and says why (`people.md` P8). */
  readonly needs?: Need;
}

/** Null: enabled. */
export function useObstacle(needsServer: boolean, need: Need | undefined): string | null {
  const isCutOff = !useOnline() && needsServer;
  return describeLack(useRole(), need) ?? (isCutOff ? "Not available without a connection to the server" : null);
}

/** Null: the role may do it, or nothing is needed. */
export function describeLack(role: Role, need: Need | undefined): string | null {
  if (need === undefined || mayDo(role, need)) return null;
  return `This needs the role ${roleFor[need]}; you are ${describeRole(role)}.`;
}
