import { plural } from "@/lib/vocabulary/format-number";
import type { appFlags, approvalKinds } from "@/lib/vocabulary/terms";

export interface Requested {
  readonly kind: (typeof approvalKinds)[number];
  readonly returnTo?: number | null;
  readonly rollout?: object | null;
  readonly decision?: { readonly approvalStatus: string; readonly isBlacklisted?: boolean | null } | null;
  readonly flag?: { readonly name: (typeof appFlags)[number]; readonly value?: unknown } | null;
}

const flagActs: Readonly<Record<(typeof appFlags)[number], (app: string, value: unknown) => string>> = {
  isAutoApprovedEnabled: (app) => `Approve later versions of ${app} automatically`,
  isAdministratorApp: (app) => `Give ${app} the administrator groups`,
  allowUnknownRpcPassthrough: (app) => `Let ${app} pass unknown RPCs through`,
  hybridAppPreference: (app, value) => `Set the hybrid preference of ${app} to ${String(value)}`,
  priority: (app, value) => `Set the priority of ${app} to ${String(value)}`,
  encryptionRequired: (app, value) =>
    value === true ? `Require ${app} to encrypt its RPCs` : `Let ${app} send its RPCs unencrypted`,
};

/** `people.md` P9a */
export function describeRequest(
  { kind, returnTo, rollout, decision, flag }: Requested,
  titles: readonly string[],
): string {
  if (kind === "return") return `Roll back to release #${returnTo ?? 0}`;
  if (kind === "publish") return `Publish ${plural(titles.length, "change")}${rollout ? " to some cars first" : ""}`;
  const app = titles.length > 1 ? plural(titles.length, "app") : (titles[0] ?? "an app");
  if (kind === "import") return `Import decisions about ${app}`;
  if (flag) return flagActs[flag.name](app, flag.value);
  if (decision?.approvalStatus === "ACCEPTED") return `Approve ${app} for production`;
  return decision?.isBlacklisted === false ? `Unblock ${app}` : `Give ${app} more permissions in production`;
}
