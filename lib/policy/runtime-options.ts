import type { LatchOptions, PolicyOrigin } from "@/lib/policy/latch";
import type { PolicySource } from "@/lib/policy/policy-source";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import type { ServedPoliciesOptions } from "@/lib/policy/served-policies";
import type { TroubleLog } from "@/lib/policy/trouble";

/** Options of `PolicyRuntime`. */
export interface RuntimeOptions extends ServedPoliciesOptions {
  readonly source: PolicySource;
  readonly database: RuntimeStatus["database"];
  readonly log: TroubleLog & ServedPoliciesOptions["log"];
  /** Time between two checks of the revision, in milliseconds. */
  readonly pollMs?: number;
  /** Delay before a new snapshot is written to disk, in milliseconds. */
  readonly saveDelayMs?: number;
  /** Called if the database can never be used as it is; retrying would only hide this. */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, after the database has been read for the first time. */
  readonly afterFirstLoad?: () => void;
  /** Called at every check that has confirmed the policy in service. */
  readonly onConfirmed?: (origin: PolicyOrigin) => void;
  /** What an earlier process has served; null: unknown. Counts as the last policy while the disk does not answer (N15a). */
  readonly lastServed?: () => PolicyOrigin | null;
  /** How long to wait for the disk, in milliseconds. */
  readonly diskMs?: number;
  readonly latch?: Pick<LatchOptions, "givenUp" | "onChange">;
}
