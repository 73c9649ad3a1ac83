import { CheckboxField } from "@/app/_components/fields/checkbox";
import { DraftForm } from "@/app/_components/form/draft-form";
import { useDraft } from "@/app/_components/form/use-draft";
import { useSave } from "@/app/_components/form/use-save";
import { TextField } from "@/app/_components/fields/text-field";
import { z } from "zod";

export interface TestItem {
  readonly id: number;
  readonly name: string;
  readonly note: string;
  readonly isDefault: boolean;
  /** Derived from the rest; no field shows it. */
  readonly count: number;
}
export const anItem: TestItem = { id: 7, name: "Base-4", note: "old", isDefault: false, count: 1 };

const schema = z.object({
  name: z.string().min(1, "A name is needed"),
  note: z.string().max(10, "The note is too long"),
});
const labels = { name: "Name", note: "Note", isDefault: "All apps" };

export function TestForm({
  item = anItem,
  baseId = item.id,
  itemKey = "item",
}: Readonly<{ item?: TestItem; baseId?: number; itemKey?: string }>) {
  const draft = useDraft({ key: itemKey, initial: item, baseId });
  const save = useSave({
    draft,
    path: "/api/v1/items",
    body: (value, baseId) => ({ ...value, base_id: baseId }),
    schema: () => Promise.resolve(schema),
  });
  return (
    <DraftForm draft={draft} save={save} labels={labels}>
      <TextField label="Name" name="name" value={draft.value.name} onChange={(name) => draft.set({ name })} />
      <TextField label="Note" name="note" value={draft.value.note} onChange={(note) => draft.set({ note })} />
      <CheckboxField
        label="All apps"
        checked={draft.value.isDefault}
        onChange={(isDefault) => draft.set({ isDefault })}
      />
    </DraftForm>
  );
}
