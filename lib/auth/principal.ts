import type { Role } from "@/lib/words/roles";

/**
 * What proves who is calling: nothing is asked for ("open"), the password in a header, a session, a token of a program,
 * or a trusted proxy in front.
 */
export type Proof = "open" | "header" | "session" | "token" | "proxy";

/** Who is calling. */
export interface Principal {
  /** Stays the same while the name changes, e.g. `token:4`; "password" and "open" are shared by everybody who has it. */
  readonly id: string;
  /** Null: they did not say. */
  readonly name: string | null;
  /** Whether somebody else than the caller vouches for the name. */
  readonly isVerified: boolean;
  readonly proof: Proof;
  /** Of who made a program's token: what the program asks for, they must not approve themselves. */
  readonly makerId?: string | null;
  /** Null: known by name, and may do nothing (rule P3). */
  readonly role: Role | null;
}
