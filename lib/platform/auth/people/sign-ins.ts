"one per process";

import "server-only";
import { Mirror } from "@/lib/platform/auth/mirror";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import type { Role } from "@/lib/vocabulary/roles";
import { SignInModel } from "@/models/access/sign-in";

const hourMs = 60 * 60 * 1000;

export interface SignIn {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly role: Role | null;
  readonly roleProblem: string | null;
  /** When to ask the provider for the role again; null: never. */
  readonly dueAt: Date | null;
  readonly endsAt: Date;
}

/** All sign-ins, mirrored in memory (`people.md` P4, P5): a lost role is gone everywhere within 2 s. */
export class SignIns {
  readonly #known = new Mirror<string, SignIn>();
  #cleanedAt = -Infinity;

  list(): readonly SignIn[] {
    return this.#known.list();
  }

  async find(id: string, now = new Date()): Promise<SignIn | null> {
    const found = this.#known.get(id) ?? (await this.#lookUp(id));
    return found !== null && found.endsAt > now ? found : null;
  }

  set(signIn: SignIn): void {
    this.#known.set(signIn.id, signIn);
  }

  drop(ids: readonly string[]): void {
    this.#known.drop(({ id }) => ids.includes(id));
  }

  /** Ends a session everywhere. Even without a database, its cookie stops working. */
  async remove(id: string): Promise<void> {
    this.drop([id]);
    await inDatabase(() => SignInModel.deleteOne({ _id: id }));
  }

  async refresh(now = new Date()): Promise<void> {
    const [holding, over] = [{ endsAt: { $gt: now } }, { endsAt: { $lte: now } }];
    await this.#known.refresh(async () => {
      const stored = await inDatabase(() => SignInModel.find(holding, { sealed: 0 }).lean());
      return stored.map((record) => [record._id, toSignIn(record)]);
    });
    if (now.getTime() - this.#cleanedAt < hourMs) return;
    await inDatabase(() => SignInModel.deleteMany(over));
    this.#cleanedAt = now.getTime();
  }

  async #lookUp(id: string): Promise<SignIn | null> {
    const record = await inDatabase(() => SignInModel.findOne({ _id: id }, { sealed: 0 }).lean());
    return record === null ? null : toSignIn(record);
  }
}

interface StoredSignIn extends Pick<SignIn, "person" | "name" | "endsAt"> {
  readonly _id: string;
  readonly role?: Role | null;
  readonly roleProblem?: string | null;
  readonly dueAt?: Date | null;
}

function toSignIn({ _id, person, name, role = null, roleProblem = null, dueAt = null, endsAt }: StoredSignIn): SignIn {
  return { id: _id, person, name, role, roleProblem, dueAt, endsAt };
}

export function noteNoRole({ name, roleProblem }: SignIn): void {
  if (roleProblem !== null) log.warn({ name, reason: roleProblem }, "somebody has signed in and has no role");
}

let own = new SignIns();

export function signIns(): SignIns {
  return own;
}

export function forgetSignIns(): void {
  own = new SignIns();
}
