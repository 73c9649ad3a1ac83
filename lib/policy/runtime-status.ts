import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/vocabulary/terms";

export interface RuntimeStatus {
  /** `starting`: no policy yet. `degraded`: the newest state of the database is unknown, or it refuses writes. */
  readonly state: "starting" | "ready" | "degraded";
  readonly revision: number | null;
  /** When the policies in service were compiled, in milliseconds since 1970. */
  readonly builtAt: number | null;
  /** When the database last had this revision, in milliseconds since 1970, even by an earlier run; null if unknown. */
  readonly confirmedAt: number | null;
  readonly apps: number;
  readonly groups: Readonly<Record<Environment, number>>;
  readonly messages: Readonly<Record<Environment, number>>;
  readonly database: "embedded" | "mongodb";
  readonly lastError: string | null;
  /** Why vehicles keep the last policy although the database is readable (`processes.md` N15a); null if they do not. */
  readonly unexpectedDatabase: string | null;
}

export function countStored(
  snapshot: PolicySnapshot | null,
): Pick<RuntimeStatus, "revision" | "apps" | "groups" | "messages"> {
  const count = (kind: "groups" | "messages") => {
    const stored = (environment: Environment) =>
      snapshot?.[kind][environment].filter((one) => !one.isDeleted).length ?? 0;
    return { staging: stored("staging"), production: stored("production") };
  };
  return {
    revision: snapshot?.revision ?? null,
    apps: snapshot?.apps.size ?? 0,
    groups: count("groups"),
    messages: count("messages"),
  };
}
