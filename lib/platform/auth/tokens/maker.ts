import "server-only";
import type { Principal } from "@/lib/platform/auth/principal";
import { isEmergencyPassword } from "@/lib/platform/auth/principal";

/** Why somebody may make no token, whatever their role (`people.md` P10): tokens lead back to people. Null: may. */
export function findMakerRefusal(maker: Pick<Principal, "id" | "proof"> | null): string | null {
  if (maker === null) return "Nobody can tell who makes this token";
  if (maker.proof === "token") return "A token makes no tokens: sign in to make one";
  if (isEmergencyPassword(maker)) {
    return "The emergency password makes no tokens: sign in under your own name to make one";
  }
  return null;
}
