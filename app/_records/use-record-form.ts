import { useRouter } from "next/navigation";
import type { DraftParts } from "@/app/_components/form/draft-parts";
import { type Draft, useDraft } from "@/app/_components/form/use-draft";
import { type Save, type SaveOptions, useSave } from "@/app/_components/form/use-save";
import { useNoteCreated } from "@/app/_records/editor-slot";
import { draftKeyOf, type RecordFamily, type RecordStore } from "@/app/_records/family";
import { useUndo } from "@/app/_records/use-undo";

export interface EditedRecord {
  /** 0: not saved yet. */
  readonly id: number;
  readonly name: string;
  readonly copyOf?: number | null;
  readonly isReadOnly: boolean;
}

export function useRecordForm<Form extends object>(
  family: RecordStore<Form> & Partial<Pick<RecordFamily<Form>, "pathOf">>,
  { id, name, copyOf = null, isReadOnly }: EditedRecord,
  {
    initial,
    parts,
    body = (form, baseId) => family.toBody(form, baseId, false),
    schema,
    savedPath = family.pathAfter,
  }: Readonly<
    {
      /** The same object from render to render. */
      initial: Form;
      parts?: DraftParts<Form>;
      body?: SaveOptions<Form>["body"];
      /** Default: the family's address. */
      savedPath?: (answer: unknown) => string | null;
    } & Pick<SaveOptions<Form>, "schema">
  >,
): { readonly draft: Draft<Form>; readonly save: Save<Form> } {
  const router = useRouter();
  const isNew = id === 0;
  // A read-only page has no draft: that of the staging version must not show here.
  const key = isReadOnly
    ? `${family.draftPrefix}-view:${id}`
    : isNew
      ? `${family.draftPrefix}-new:${copyOf ?? ""}`
      : draftKeyOf(family, name);
  const draft = useDraft<Form>({ key, initial, baseId: id, ...(parts && { parts }) });
  const noteCreated = useNoteCreated();
  const offerUndo = useUndo(family);
  function noteSaved(sent: Form) {
    const created = family.nameOf(sent).trim();
    draft.noteSaved(sent, isNew ? draftKeyOf(family, created) : key);
    if (isNew) noteCreated(created);
  }
  const save = useSave<Form>({
    draft: { ...draft, noteSaved },
    path: family.api,
    body,
    ...(schema && { schema }),
    readConflict: family.toForm,
    action: (form, before) => offerUndo({ form: isNew ? form : before, isDeleted: isNew }, { form, isDeleted: false }),
    onSaved: (answer, form) => {
      const path = savedPath?.(answer);
      if (path) router.replace(path, { scroll: false });
      else if (isNew && family.pathOf)
        router.replace(family.pathOf({ id, name: family.nameOf(form).trim() }, "staging"));
      else router.refresh();
    },
  });
  return { draft, save };
}
