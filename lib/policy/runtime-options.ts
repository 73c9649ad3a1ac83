import type { LatchOptions } from "@/lib/policy/latch";
import type { PolicySource } from "@/lib/policy/policy-source";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import type { ServedPoliciesOptions } from "@/lib/policy/served-policies";
import type { TroubleLog } from "@/lib/policy/trouble";

/** What `PolicyRuntime` works with. */
export interface RuntimeOptions extends ServedPoliciesOptions {
  readonly source: PolicySource;
  readonly database: RuntimeStatus["database"];
  readonly log: TroubleLog & ServedPoliciesOptions["log"];
  /** Time between two looks at the revision, in milliseconds. */
  readonly pollMs?: number;
  /** Time that a new snapshot waits before it is written to disk, in milliseconds. */
  readonly saveDelayMs?: number;
  /** Called when the database can never be used as it is; trying again would only hide it. */
  readonly onRefusal?: (error: Error) => void;
  /** Called once, when the database has been read for the first time. */
  readonly afterFirstLoad?: () => void;
  readonly latch?: Pick<LatchOptions, "givenUp" | "onChange">;
}
