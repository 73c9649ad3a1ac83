import { z } from "zod";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { roles } from "@/lib/vocabulary/roles";
import { bodyId, queryBoolean, taking } from "@/lib/platform/zod/query";
import { visibleText } from "@/lib/platform/zod/refusing";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";

const password = taking(
  z.unknown().optional(),
  z.string().optional().describe("Required if AUTH_TYPE is basic; otherwise not checked"),
);

/** Accepts any type: a password that is not a string is wrong, not malformed (`api.md` 2.1). */
export const loginBody = z.object({ password });

export const passwordFormBody = z.object({ password, redirect: z.unknown().optional() });

export const signInProblems = ["provider-down", "storage", "cancelled", "stale", "refused", "insecure"] as const;
export type SignInProblem = (typeof signInProblems)[number];

export const logoutAnswer = z.object({
  continue_at: nullableText.describe("Where the identity provider ends its own session, to be opened by the browser"),
});

export const sessionsQuery = z.object({ all: queryBoolean() });
export const sessionParams = z.object({ id: z.string().max(64) });

export const logoutTokenBody = z.object({ logout_token: z.string().max(16_384) });

export const sessionAnswer = z.object({
  ends_ts: timestamp.nullable().describe("Null without a session, such as with the password in the header"),
});

export const meAnswer = z.object({
  name: nullableText,
  is_verified: z.boolean().describe("Whether the name is verified, not just claimed by the caller"),
  proof: z
    .enum(["open", "header", "session", "token", "proxy"])
    .describe("How the caller proved it: no proof needed, password in a header, session, token, or proxy"),
  role: z.enum(roles).nullable(),
});

const session = z
  .object({
    id: z.string(),
    person_id: z.string().describe("oidc|<issuer>|<subject>, or proxy|<identifier>"),
    name: z.string(),
    role: z.enum(roles).nullable().describe("Null: the identity provider's answer gives none"),
    role_problem: nullableText.describe("Why there is no role, e.g. that the claim with the groups is missing"),
    begun_ts: timestamp,
    ends_ts: timestamp.describe("At the latest; earlier if idle"),
    is_current: z.boolean().describe("Whether it is the caller's own session"),
  })
  .meta({ id: "Session", description: "A session of somebody whom the identity provider has named" });
export type SessionJson = z.infer<typeof session>;

export const sessionsAnswer = z.object({ sessions: z.array(session) });
export const sessionsEndedAnswer = z.object({ session_count: z.int().describe("How many sessions it ended") });

const token = z
  .object({
    id: z.int(),
    name: z.string(),
    role: z.enum(roles),
    prefix: z.string().describe("The 8 characters after ops_, to recognize the token"),
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
  token: z.string().describe("The token to send after Bearer; shown only once"),
  id: z.int(),
  expires_at: timestamp.nullable(),
});

export const longestTokenDays = 365;
export const usualTokenDays = 90;

const nameSentence = `name must be a text of 1 to ${longestDisplayName} characters that show`;
const daysSentence = `expires_in_days must be an integer from 1 to ${longestTokenDays}, or null for a token that never ends`;

export const makeTokenBody = z.object({
  name: taking(
    z
      .string({ error: nameSentence })
      .trim()
      .min(1, { error: nameSentence })
      .max(longestDisplayName, { error: nameSentence })
      .refine((name) => name.isWellFormed(), { error: nameSentence })
      .superRefine(visibleText("name")),
    z.string().min(1).max(longestDisplayName),
  ),
  role: z.enum(roles, { error: `role must be one of: ${roles.join(", ")}` }),
  expires_in_days: z
    .int({ error: daysSentence })
    .min(1, { error: daysSentence })
    .max(longestTokenDays, { error: daysSentence })
    .nullable()
    .default(usualTokenDays),
});
export type MakeTokenBody = z.output<typeof makeTokenBody>;

export const tokenParams = z.object({ id: bodyId });
