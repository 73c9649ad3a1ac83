import { z } from "zod";
import { type RoleMap, roles } from "@/lib/vocabulary/roles";

export function asksWho(authType: "basic" | "oidc" | "none" | null): authType is "basic" | "oidc" {
  return authType === "basic" || authType === "oidc";
}

export const minPasswordLength = 12;

export function isShortPassword(password: string): boolean {
  return password.length < minPasswordLength;
}

const error = `must have the form viewer=group,group;editor=group with roles of: ${roles.join(", ")}, each once`;

export function roleMap() {
  return z
    .string()
    .transform((text, context): RoleMap => {
      const parts = text.split(";").filter((part) => part.trim() !== "");
      const map = new Map(
        parts.map((part) => {
          const [role = "", ...rest] = part.split("=");
          const groups = rest.join("=").split(",");
          return [role.trim().toLowerCase(), groups.map((group) => group.trim()).filter((group) => group !== "")];
        }),
      );
      const isKnown = [...map].every(([role, groups]) => roles.some((one) => one === role) && groups.length > 0);
      if (parts.length > 0 && isKnown && map.size === parts.length) {
        return { ...noGroups, ...Object.fromEntries(map) };
      }
      context.addIssue({ code: "custom", message: error });
      return z.NEVER;
    })
    .optional()
    .transform((map) => map ?? null);
}

const noGroups: RoleMap = { viewer: [], editor: [], publisher: [], admin: [] };

export function scopes() {
  return z
    .string()
    .refine((text) => text.split(/\s+/).includes("openid") && /^[\x21\x23-\x5b\x5d-\x7e\s]+$/.test(text), {
      error: "must be scopes with blanks between, openid among them",
    });
}
