import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { idAtProvider } from "@/lib/platform/auth/principal";
import { buildSessionCookie } from "@/lib/platform/auth/session-cookie";
import { buildPersonClaims, encodeSession } from "@/lib/platform/auth/session-token";
import type { Role } from "@/lib/vocabulary/roles";

/** `AUTH_TYPE=oidc` with a provider that receives no requests. */
export const peopleSettings = {
  ...{ AUTH_TYPE: "oidc", OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "policy-server" },
  ...{ OIDC_CLIENT_SECRET: "example-secret", SESSION_SECRET: "0123456789abcdef".repeat(2) },
  OIDC_ROLES: "viewer=viewer;editor=editor;publisher=publisher;admin=admin",
};

export async function withSession(role: Role | null, { endsAt = new Date(Date.now() + 60_000) } = {}) {
  const claims = buildPersonClaims();
  const person = idAtProvider("https://id.example", claims.sid);
  const name = `Person of role ${role ?? "none"}`;
  signIns().set({ id: claims.sid, person, name, role, roleProblem: null, dueAt: null, endsAt });
  const own = { host: "localhost:3000", origin: "http://localhost:3000" };
  const [cookie = ""] = buildSessionCookie(new Headers(own), await encodeSession(claims), 60).split(";");
  return { ...own, cookie };
}
