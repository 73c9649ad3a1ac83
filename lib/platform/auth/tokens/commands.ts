import "server-only";
import type { ClientSession } from "mongoose";
import { isEmergencyPassword, type Principal } from "@/lib/platform/auth/principal";
import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import type { MakeTokenBody } from "@/lib/platform/auth/schema";
import { hashSecret, makeTokenText } from "@/lib/platform/auth/tokens/token-text";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { roles } from "@/lib/vocabulary/roles";
import { AccessTokenModel } from "@/models/access/access-token";

/** All tokens are held in memory and shown in one list. */
const maxTokens = 500;
const dayMs = 86_400_000;

/**
 * Creates an API token (`people.md` P10); stores only the SHA-256 of its secret. `maker`: the user behind it. Throws
 * AppError 403 for a higher role than theirs, or a caller who cannot create tokens; 400 for a taken name or too many.
 */
export async function makeToken(
  { name, role, expires_in_days: days }: MakeTokenBody,
  maker: Principal | null,
  writer: WriteContext,
): Promise<{ readonly id: number; readonly token: string; readonly expiresAt: Date | null }> {
  const refusal = findMakerRefusal(maker);
  if (refusal !== null) throw new AppError("forbidden", refusal);
  const makersRole = maker?.role ?? null;
  if (makersRole === null || roles.indexOf(role) > roles.indexOf(makersRole)) {
    throw new AppError("forbidden", `A token cannot do more than its creator; this needs the role ${role}`);
  }
  const { prefix, secret, text } = makeTokenText();
  const record = await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    await requireFree(name, tx.session);
    const made = {
      _id: await tx.nextId("access_tokens"),
      ...{ name, role, prefix, hash: hashSecret(secret) },
      expiresAt: days === null ? null : new Date(tx.now.getTime() + days * dayMs),
      createdAt: tx.now,
      createdBy: writer.displayName ?? null,
      isCreatorVerified: writer.isNameVerified ?? false,
      makerId: writer.callerIds?.[0] ?? null,
      lastUsedAt: null,
    };
    await AccessTokenModel.insertMany([made], { session: tx.session });
    const after = { name, role, expires_ts: made.expiresAt?.toISOString() ?? null };
    tx.record({ action: "token.make", target: `token:${made._id}`, after });
    return made;
  });
  accessTokens().add(record);
  return { id: record._id, token: text, expiresAt: record.expiresAt };
}

/** The activity list could not tell two tokens with one name apart. */
async function requireFree(name: string, session: ClientSession) {
  const names = await AccessTokenModel.find({}, { name: 1 }, { session }).lean();
  if (names.some((one) => one.name === name)) throw new AppError("invalid", "A token of this name exists already");
  if (names.length >= maxTokens) throw new AppError("invalid", `There are ${maxTokens} tokens; revoke one first`);
}

/** Revokes a token: here at once, elsewhere within 2 s (`people.md` P11). Throws AppError 404 for an unknown one. */
export async function revokeToken(id: number, writer: WriteContext): Promise<void> {
  await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const found = await AccessTokenModel.findOneAndDelete({ _id: id }, { session: tx.session }).lean();
    if (found === null) throw new AppError("notFound", `There is no token ${id}`);
    tx.record({ action: "token.revoke", target: `token:${id}`, before: { name: found.name, role: found.role } });
  });
  accessTokens().remove(id);
}

/** Why the caller cannot create tokens, whatever their role (`people.md` P10): tokens lead to people. Null: they can. */
export function findMakerRefusal(maker: Pick<Principal, "id" | "proof"> | null): string | null {
  if (maker === null) return "The creator of this token cannot be identified";
  if (maker.proof === "token") return "A token cannot create tokens: sign in to create one";
  if (isEmergencyPassword(maker)) {
    return "The emergency password cannot create tokens: sign in under your own name to create one";
  }
  return null;
}
