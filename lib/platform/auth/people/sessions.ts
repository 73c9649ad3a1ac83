import "server-only";
import type { QueryFilter } from "mongoose";
import { sessionSeconds } from "@/lib/platform/auth/session-token";
import type { SessionJson } from "@/lib/platform/auth/schema";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { SignInModel, type SignInRecord } from "@/models/access/sign-in";

export type WhoseSessions = { readonly person: string } | "all";
const filterOf = (whose: WhoseSessions) => (whose === "all" ? {} : { person: whose.person });

export async function listSessions(
  whose: WhoseSessions,
  current: string | null,
  now = new Date(),
): Promise<readonly SessionJson[]> {
  const holding = { ...filterOf(whose), endsAt: { $gt: now } };
  const stored = await inDatabase(() => SignInModel.find(holding, { sealed: 0 }).sort({ endsAt: -1 }).lean());
  return stored.map(({ _id, person, name, role, roleProblem, endsAt }) => ({
    id: _id,
    person_id: person,
    name,
    role: role ?? null,
    role_problem: roleProblem ?? null,
    begun_ts: new Date(endsAt.getTime() - sessionSeconds * 1000).toISOString(),
    ends_ts: endsAt.toISOString(),
    is_current: _id === current,
  }));
}

/** Ends a session: here at once, elsewhere within 2 s. Throws AppError 404, also if `whose` excludes the session. */
export async function endSessionOf(id: string, whose: WhoseSessions, writer: WriteContext): Promise<void> {
  const ended = await endSessions({ ...filterOf(whose), _id: id }, writer);
  if (ended === 0) throw new AppError("notFound", "This session does not exist");
}

export function endOtherSessions(person: string, current: string | null, writer: WriteContext): Promise<number> {
  return endSessions({ person, ...(current !== null && { _id: { $ne: current } }) }, writer);
}

export async function endSessions(
  filter: QueryFilter<Pick<SignInRecord, "_id" | "person" | "subject" | "providerSession">>,
  writer: WriteContext,
): Promise<number> {
  const ids = await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const found = await SignInModel.find(filter, { name: 1, person: 1 }, { session: tx.session }).lean();
    await SignInModel.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }, { session: tx.session });
    for (const { name, person } of found)
      tx.record({ action: "session.end", target: "login", before: { name, person } });
    return found.map(({ _id }) => _id);
  });
  signIns().drop(ids);
  return ids.length;
}
