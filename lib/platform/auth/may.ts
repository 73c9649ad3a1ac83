import { AppError } from "@/lib/platform/errors";
import { describeRole, mayDo, type Need, type Role, roleFor } from "@/lib/vocabulary/roles";

export interface Doer {
  readonly role: Role | null;
  readonly name: string | null;
}

export function may(doer: Pick<Doer, "role"> | null, need: Need): boolean {
  return doer !== null && mayDo(doer.role, need);
}

/** Throws AppError 403 naming the needed role (`people.md` P7). */
export function requireMayDo(doer: Doer | null, need: Need): void {
  if (may(doer, need)) return;
  const { role, name } = doer ?? { role: null, name: null };
  const held = role === null ? "has no role on this server" : `is ${describeRole(role)}`;
  throw new AppError("forbidden", `This needs the role ${roleFor[need]}; ${name ?? "the caller"} ${held}`);
}

export function requireWriterMay(
  { role, displayName }: { readonly role?: Role | null; readonly displayName?: string | null },
  need: Need,
): void {
  if (role !== undefined) requireMayDo({ role, name: displayName ?? null }, need);
}
