import "server-only";
import type { TokenJson } from "@/lib/platform/auth/schema";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { AccessTokenModel } from "@/models/access/access-token";

/** Lists valid tokens, newest first, nothing secret (`people.md` P12a). `whose`: only those that this person made. */
export async function listTokens(
  whose: { readonly makerId?: string } = {},
  now = new Date(),
): Promise<readonly TokenJson[]> {
  const stored = await inDatabase(() => AccessTokenModel.find(whose, { hash: 0 }).sort({ _id: -1 }).lean());
  return stored.map((record) => ({
    id: record._id,
    name: record.name,
    role: record.role,
    prefix: record.prefix,
    created_ts: record.createdAt.toISOString(),
    created_by: record.createdBy ?? null,
    created_by_verified: record.isCreatorVerified,
    expires_ts: record.expiresAt?.toISOString() ?? null,
    is_expired: record.expiresAt != null && record.expiresAt <= now,
    last_used_ts: record.lastUsedAt?.toISOString() ?? null,
  }));
}
