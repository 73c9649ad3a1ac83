import type { GroupForm } from "../group-form";
import type { Draft } from "@/app/_components/form/use-draft";
import type { PromptChoice } from "@/lib/records/groups/editor-queries";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";

export interface RpcChoice {
  readonly name: string;
  readonly parameters: readonly { readonly key: string; readonly isCustom: boolean }[];
}

export interface GroupFacts {
  /** 0: not saved yet. */
  readonly id: number;
  readonly copyOf: number | null;
  readonly status: RecordStatus | "";
  readonly isDeleted: boolean;
  readonly environment: Environment;
  readonly isPromoted: boolean;
  readonly changedAt: string | null;
  readonly prompts: readonly PromptChoice[];
  readonly rpcs: readonly RpcChoice[];
  readonly unmapped: readonly string[];
  /** Parameters that reach vehicles, by RPC. */
  readonly usable: Readonly<Record<string, readonly string[]>>;
  readonly stagedVehicleData: readonly string[];
}

export interface GroupPart {
  readonly form: GroupForm;
  readonly facts: GroupFacts;
  /** Undefined if read-only. */
  readonly change: Draft<GroupForm>["set"] | undefined;
}
