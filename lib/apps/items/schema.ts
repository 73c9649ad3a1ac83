import { z } from "zod";
import { filledName, strict } from "@/lib/records/store/file-form";
import { appPriorities, approvalStatuses, hybridPreferences } from "@/lib/vocabulary/terms";

const appVersion = strict({
  version: z.int().nullable().describe("Number of the version in the app directory"),
  approval_status: z.enum(approvalStatuses),
  denial_message: z.string().optional(),
  encryption_required: z.boolean().optional(),
  groups: z.array(filledName).optional().describe("Proprietary groups granted by hand"),
  services: z.array(strict({ name: filledName, permissions: z.array(filledName) })).optional(),
});
/** The decisions about an app. The app itself comes from the app directory. */
export const appItem = strict({
  uuid: filledName,
  is_auto_approved_enabled: z.boolean().optional(),
  is_administrator_app: z.boolean().optional(),
  allow_unknown_rpc_passthrough: z.boolean().optional(),
  is_blacklisted: z.boolean().optional(),
  hybrid_preference: z.enum(hybridPreferences).optional(),
  priority: z.enum(appPriorities).optional(),
  versions: z.array(appVersion),
}).meta({ id: "ExchangeApp" });
export type AppItem = z.output<typeof appItem>;
export type AppVersionItem = AppItem["versions"][number];
