import { z } from "zod";
import { nullableText, timestamp } from "@/lib/platform/http/answer-schema";
import { roles } from "@/lib/labels/roles";
import { queryBoolean } from "@/lib/platform/zod/query";
import { taking } from "@/lib/platform/zod/taking";

const password = taking(
  z.unknown().optional(),
  z.string().optional().describe("Needed while AUTH_TYPE is basic; without it nothing is checked"),
);

/** Whatever was sent as the password: what is no string is wrong, not malformed (`api.md` 2.1). */
export const loginBody = z.object({ password });

/** The form of the login page: the password, and where to go on. */
export const passwordFormBody = z.object({ password, redirect: z.unknown().optional() });

/** Why somebody was not signed in at the identity provider; the login page says it in words. */
export const signInProblems = ["provider-down", "storage", "cancelled", "stale", "refused", "insecure"] as const;
export type SignInProblem = (typeof signInProblems)[number];

/** What follows a sign-out (`POST logout`). */
export const logoutAnswer = z.object({
  continue_at: nullableText.describe("Where the identity provider ends its own session, to be opened by the browser"),
});

/** Whose sessions are listed (`GET sessions`). */
export const sessionsQuery = z.object({ all: queryBoolean() });
export const sessionParams = z.object({ id: z.string().max(64) });

/** What the identity provider sends when somebody has signed out there (`people.md` P4b). */
export const logoutTokenBody = z.object({ logout_token: z.string().max(16_384) });

/** When a session ends (`GET ui/session`). */
export const sessionAnswer = z.object({
  ends_ts: timestamp.nullable().describe("Null without a session, such as with the password in the header"),
});

/** Who is calling (`GET me`). */
export const meAnswer = z.object({
  name: nullableText,
  is_verified: z.boolean().describe("Whether somebody else than the caller vouches for the name"),
  proof: z
    .enum(["open", "header", "session", "token", "proxy"])
    .describe("What proves it: nothing is asked for, the password in a header, a session, a token, a proxy in front"),
  role: z.enum(roles).nullable(),
});
