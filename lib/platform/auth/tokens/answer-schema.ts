import { z } from "zod";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { roles } from "@/lib/labels/roles";

const token = z
  .object({
    id: z.int(),
    name: z.string(),
    role: z.enum(roles),
    prefix: z.string().describe("The 8 characters after ops_, by which somebody knows which token it is"),
    created_ts: timestamp,
    created_by: nullableText,
    created_by_verified: z.boolean(),
    expires_ts: timestamp.nullable().describe("Null: never"),
    is_expired: z.boolean(),
    last_used_ts: timestamp.nullable().describe("To the hour; null: never"),
  })
  .meta({ id: "Token", description: "An API token, without its secret" });
export type TokenJson = z.infer<typeof token>;

export const tokensAnswer = z.object({ tokens: z.array(token) });

export const tokenMadeAnswer = z.object({
  token: z.string().describe("The token, as it is sent after Bearer; shown this once"),
  id: z.int(),
  expires_at: timestamp.nullable(),
});
