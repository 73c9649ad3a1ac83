import { itemFamilies, releaseItems } from "@/lib/labels/release-items";
import { recordOf } from "@/lib/labels/members";

/** What audit events are about, by the beginnings of their targets. Safe in the browser. */
export const auditFamilies = {
  ...recordOf(itemFamilies, (family): readonly string[] => releaseItems[family].targets),
  release: ["release", "releases", "scheduled", "approval", "production"],
  access: ["login", "token"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditFamily = keyof typeof auditFamilies;
