/** Safe in the browser. */
import { z } from "zod";
import { filledText, taking } from "@/lib/platform/zod/query";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { hybridPreferences } from "@/lib/vocabulary/terms";

const version = /^\d{1,9}(\.\d{1,9}){0,2}$/;
const versionText = (name: string) =>
  taking(
    filledText().refine((text) => text === undefined || version.test(text), {
      error: `${name} must have the form major, major.minor or major.minor.patch`,
    }),
    z.string().regex(version).optional(),
  );

export const storeQuery = z.object({
  uuid: filledText(),
  transport_type: filledText().pipe(z.enum(["webengine", "websocket"], { error: "Invalid transport_type" }).optional()),
  min_rpc_version: versionText("min_rpc_version"),
  min_protocol_version: versionText("min_protocol_version"),
});
export type StoreQuery = z.output<typeof storeQuery>;

const storeApp = z
  .object({
    name: z.string(),
    nicknames: z.array(z.string()),
    description: nullableText,
    policyAppID: z.string(),
    enabled: z.literal(true),
    transportType: nullableText,
    hybridAppPreference: z.enum(hybridPreferences),
    icon_url: nullableText,
    package: z.object({
      url: nullableText,
      size_compressed_bytes: z.int().nullable(),
      size_decompressed_bytes: z.int().nullable(),
    }),
  })
  .meta({ id: "StoreApp" });
export type StoreAppJson = z.infer<typeof storeApp>;

export const storeAnswer = z.object({ applications: z.array(storeApp) });
