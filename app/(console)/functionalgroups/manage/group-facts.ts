import type { GroupForm } from "../group-form";
import type { Draft } from "@/app/_components/form/use-draft";
import type { GroupEditor } from "@/lib/records/groups/editor-queries";

export interface GroupFacts extends Omit<GroupEditor, "group"> {
  /** 0: not saved yet. */
  readonly id: number;
  readonly copyOf: number | null;
  readonly status: GroupEditor["group"]["status"];
  readonly isDeleted: boolean;
}

export interface GroupPart {
  readonly form: GroupForm;
  readonly facts: GroupFacts;
  /** Undefined if read-only. */
  readonly change: Draft<GroupForm>["set"] | undefined;
}
