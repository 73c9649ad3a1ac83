import { z } from "zod";
import { timestamp } from "@/lib/platform/http/answer-schema";
import { roles } from "@/lib/labels/roles";

const session = z
  .object({
    id: z.string(),
    person_id: z.string().describe("oidc|<issuer>|<subject>, or proxy|<identifier>"),
    name: z.string(),
    role: z.enum(roles).nullable().describe("Null: none of the person's groups has a role"),
    begun_ts: timestamp,
    ends_ts: timestamp.describe("At the latest; earlier when it is left idle"),
    is_current: z.boolean().describe("Whether it is the session that asks"),
  })
  .meta({ id: "Session", description: "A session of somebody whom the identity provider has named" });
export type SessionJson = z.infer<typeof session>;

export const sessionsAnswer = z.object({ sessions: z.array(session) });
