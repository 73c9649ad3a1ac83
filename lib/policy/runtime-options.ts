import type { LatchOptions, PolicyOrigin } from "@/lib/policy/latch";
import type { PolicySource } from "@/lib/policy/policy-source";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";
import type { ServedPoliciesOptions } from "@/lib/policy/served-policies";
import type { TroubleLog } from "@/lib/policy/trouble";

export interface RuntimeOptions extends ServedPoliciesOptions {
  readonly source: PolicySource;
  readonly database: RuntimeStatus["database"];
  readonly log: TroubleLog & ServedPoliciesOptions["log"];
  readonly pollMs?: number;
  readonly saveDelayMs?: number;
  /** Called if the database can never be used as it is; retrying would only hide this. */
  readonly onRefusal?: (error: Error) => void;
  readonly afterFirstLoad?: () => void;
  readonly onConfirmed?: (origin: PolicyOrigin) => void;
  /** What an earlier process has served; null: unknown. Counts as the last policy while the disk does not answer. */
  readonly lastServed?: () => PolicyOrigin | null;
  readonly diskMs?: number;
  readonly latch?: Pick<LatchOptions, "givenUp" | "onChange">;
}
