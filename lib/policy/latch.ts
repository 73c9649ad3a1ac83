"one per process";

import type { SnapshotOrigin } from "@/lib/policy/saved/snapshot-parts";
import { formatGivenUp, type GivenUpPolicy } from "@/lib/platform/settings/kinds";

export interface DatabaseFacts {
  /** Null if it has no data of this server. */
  readonly databaseId: string | null;
  /** Ids of the databases that restores have replaced with this one, the last of them at `madeAt`. */
  readonly succeeds: readonly string[];
  /** When it got its id, in milliseconds since 1970; null if unknown. */
  readonly madeAt: number | null;
}

export interface DatabaseIdentity extends DatabaseFacts {
  readonly revision: number;
}

export interface PolicyOrigin extends SnapshotOrigin {
  readonly revision: number;
}

/** The database is not the one of the last policy. The message is for the operator. */
export class UnexpectedDatabase extends Error {
  override readonly name = "UnexpectedDatabase";
}

export interface LatchOptions {
  /** Undefined: the operator has given up no policy. */
  readonly givenUp?: GivenUpPolicy | null;
  readonly log: { warn(details: object, message: string): void };
  readonly onChange?: (isUnexpected: boolean) => void;
}

/** Clocks of the machines that restore and serve may differ by this much, in milliseconds. */
const clockDifferenceMs = 5 * 60_000;

/** Keeps the last policy if the database is another one: a lost disk must not unblock apps (`processes.md` N15a). */
export class Latch {
  readonly #options: LatchOptions;
  #origin: PolicyOrigin | null = null;
  #sentence: string | null = null;
  #told: boolean | null = null;
  #hasToldGivenUp = false;

  constructor(options: LatchOptions) {
    this.#options = options;
  }

  get origin(): PolicyOrigin | null {
    return this.#origin;
  }

  /** Why the database is not the expected one, for the operator; null if it is, as far as known. */
  get sentence(): string | null {
    return this.#sentence;
  }

  expect(origin: PolicyOrigin | null): void {
    this.#origin = origin;
  }

  /** Notes that the database had the revision of the last policy, `at` in milliseconds since 1970. */
  confirm(at: number): void {
    if (this.#origin !== null) this.#origin = { ...this.#origin, confirmedAt: at };
  }

  /** Every process calls this before it uses a database. Throws UnexpectedDatabase, unless that policy was given up. */
  require(database: DatabaseIdentity): void {
    const origin = this.#origin;
    const mismatch = origin && findMismatch(origin, database);
    if (origin === null || mismatch === null) {
      this.#set(null);
      return;
    }
    const isGivenUp = covers(this.#options.givenUp ?? null, origin);
    this.#set(isGivenUp ? null : `${mismatch} ${adviceFor(origin)}`);
    if (this.#sentence !== null) throw new UnexpectedDatabase(this.#sentence);
    if (this.#hasToldGivenUp) return;
    this.#hasToldGivenUp = true;
    this.#options.log.warn({ reason: mismatch }, "the last policy is given up, as configured");
  }

  #set(sentence: string | null): void {
    this.#sentence = sentence;
    const isUnexpected = sentence !== null;
    if (isUnexpected !== this.#told) this.#options.onChange?.(isUnexpected);
    this.#told = isUnexpected;
  }
}

function findMismatch(policy: PolicyOrigin, database: DatabaseIdentity): string | null {
  if (policy.databaseId === null || policy.databaseId === database.databaseId) {
    if (database.revision >= policy.revision) return null;
    return (
      `The database went back in time: it is at revision ${database.revision}, but vehicles were last served revision ` +
      `${policy.revision}.`
    );
  }
  const served = `but vehicles were last served from database ${policy.databaseId} at revision ${policy.revision}`;
  if (database.databaseId === null) return `The database is empty, ${served}.`;
  const found = `This is database ${database.databaseId}, ${served}`;
  if (!database.succeeds.includes(policy.databaseId)) return `${found}.`;
  const isOutlived = (policy.confirmedAt ?? 0) > (database.madeAt ?? Infinity) + clockDifferenceMs;
  return isOutlived ? `${found}, which was in use after a copy of it was restored here.` : null;
}

function adviceFor(origin: PolicyOrigin): string {
  return (
    "Vehicles get no other policy, and nothing is stored. Check MONGODB_URI and DATA_DIR, or restore a " +
    "backup. If this is the database to use from now on, start once with --accept-empty-database, or set " +
    `ACCEPT_EMPTY_DATABASE=${formatGivenUp(origin)}.`
  );
}

function covers(givenUp: GivenUpPolicy | null, { databaseId, revision }: PolicyOrigin): boolean {
  return givenUp !== null && givenUp.databaseId === databaseId && revision <= givenUp.revision;
}
