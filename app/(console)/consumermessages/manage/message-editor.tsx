"use client";
import { useMemo } from "react";
import { DraftForm } from "@/app/_components/form/draft-form";
import { EditorTabs } from "@/app/_releases/history/editor-tabs";
import { useRecordForm } from "@/app/_records/use-record-form";
import { type MessageDraft, findTextProblems, toBody, toDraft } from "../message-draft";
import { messageFamily } from "../message-family";
import type { EditedMessage, TakenName } from "./edited-message";
import { buildLabels } from "./labels";
import { LanguageEditor } from "./language-editor";
import { LanguageList } from "./language-list";
import { MessageHeader } from "./message-header";
import { NameSection } from "./name-section";
import { UsedByPanel } from "./used-by-panel";
import { useChosenLanguage } from "./use-chosen-language";

/** A message with its languages at the left and the texts of one of them at the right. */
export function MessageEditor({
  takenNames,
  firstLanguage,
  ...page
}: Readonly<EditedMessage & { takenNames: readonly TakenName[]; firstLanguage: string | null }>) {
  const { message, environment, uses, languages } = page;
  const isNew = message.id === 0;
  const isReadOnly = environment === "production" || message.is_deleted;
  const initial: MessageDraft = useMemo(() => toDraft(message), [message]);
  const languageIds = useMemo(() => languages.map(({ id }) => id), [languages]);
  const edited = { id: message.id, name: message.message_category, isReadOnly };
  const { draft, save } = useRecordForm(messageFamily, edited, {
    initial,
    body: (value, baseId) => {
      const category = messageFamily.nameOf(value);
      // A removed message of this name is no conflict: the new one continues its history.
      const removed = takenNames.find(({ name, isVisible }) => !isVisible && name === category);
      // Another name would be another message: only that of a new one may be tidied.
      return toBody(isNew ? { ...value, category } : value, baseId === 0 && removed ? removed.id : baseId, false);
    },
    schema: async (value) => (await import("./save-check")).buildSaveCheck({ draft: value, languageIds, takenNames }),
  });
  const problems = useMemo(() => findTextProblems(draft.value, languageIds), [draft.value, languageIds]);
  const { order, languageId, choose } = useChosenLanguage({ languages, initial, firstLanguage, errors: save.errors });
  const labels = useMemo(() => buildLabels(languages), [languages]);
  const language = languages.find(({ id }) => id === languageId) ?? { id: languageId, name: languageId };
  const onChange = (members: MessageDraft) => draft.set((value) => ({ ...value, ...members }));

  return (
    <>
      <MessageHeader {...page} draft={draft} save={save.submit} />
      <EditorTabs item={isNew ? null : { family: messageFamily.family, key: message.message_category }}>
        <DraftForm draft={draft} save={save} labels={labels}>
          {isNew && <NameSection value={String(draft.value["category"])} onChange={onChange} takenNames={takenNames} />}
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
            <div className="space-y-4 lg:sticky lg:top-[calc(var(--header)+var(--strip)+1rem)]">
              <LanguageList
                order={order}
                draft={draft.value}
                changed={draft.changed}
                problems={problems}
                languageId={languageId}
                isReadOnly={isReadOnly}
                onChoose={choose}
              />
              {!isNew && <UsedByPanel uses={uses} className="max-lg:hidden" />}
            </div>
            <LanguageEditor
              language={language}
              order={order}
              draft={draft}
              problems={problems}
              isReadOnly={isReadOnly}
              onChange={onChange}
              onChoose={choose}
            />
            {!isNew && <UsedByPanel uses={uses} className="lg:hidden" />}
          </div>
        </DraftForm>
      </EditorTabs>
    </>
  );
}
