/** Answers of the store routes (`api.md` section 7). */
import { z } from "zod";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { hybridPreferences } from "@/lib/labels/vocabulary";

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
