import { z } from "zod";

/** A policy that the operator gives up (`processes.md` N15b): of this database, at this revision or an earlier one. */
export interface GivenUpPolicy {
  /** Null: the policy names no database. */
  readonly databaseId: string | null;
  readonly revision: number;
}

/** Stands for the id of a database that had none. */
const unknownId = "unknown";

/** The value of `ACCEPT_EMPTY_DATABASE` that gives up a policy. */
export function formatGivenUp({ databaseId, revision }: GivenUpPolicy): string {
  return `${databaseId ?? unknownId}:${revision}`;
}

/** A setting as `formatGivenUp` writes it. */
export function givenUpPolicy() {
  return z
    .string()
    .regex(/^[\w-]{1,64}:\d{1,15}$/, {
      error: "must be the database id and the revision that the log names, such as 0b54c0de-…:1234",
    })
    .transform((text): GivenUpPolicy => {
      const [id = unknownId, revision] = text.split(":");
      return { databaseId: id === unknownId ? null : id, revision: Number(revision) };
    });
}
