"use client";
import { useRouter } from "next/navigation";
import { type Draft, useDraft } from "@/app/_components/form/use-draft";
import { type Save, useSave } from "@/app/_components/form/use-save";
import type { NamedLanguage } from "@/lib/messages/language-names";
import { type MessageDraft, type MessageJson, toDraft, toSaveBody } from "../message-draft";
import { messagePath } from "../message-path";
import { useUndo } from "../use-undo";
import type { TakenName } from "./message-editor";

/** The draft of a message and its save, which stays on the page and can be taken back. */
export function useMessageForm({
  message,
  initial,
  languages,
  takenNames,
  isReadOnly,
}: Readonly<{
  message: MessageJson;
  initial: MessageDraft;
  languages: readonly NamedLanguage[];
  takenNames: readonly TakenName[];
  isReadOnly: boolean;
}>): { draft: Draft<MessageDraft>; save: Save<MessageDraft> } {
  const router = useRouter();
  const isNew = message.id === 0;
  const languageIds = languages.map(({ id }) => id);
  const draft = useDraft<MessageDraft>({
    // What is only read has no draft: that of the staging version is none of it.
    key: `${isReadOnly ? "read" : "message"}:${isNew ? "" : message.message_category}`,
    initial,
    baseId: message.id,
  });
  const offerUndo = useUndo();

  const buildBody = (value: MessageDraft, baseId: number | null) =>
    // Another name would be another message: only that of a new one may be tidied.
    toSaveBody(isNew ? { ...value, category: String(value["category"]).trim() } : value, {
      languageIds,
      isDeleted: false,
      baseId,
    });
  const save = useSave<MessageDraft>({
    draft,
    path: "/api/v1/messages",
    body: (value, baseId) => {
      // A removed message of this name is no conflict: the new one continues its history.
      const removed = takenNames.find(({ name, isVisible }) => !isVisible && name === String(value["category"]).trim());
      return buildBody(value, baseId === 0 && removed ? removed.id : baseId);
    },
    schema: () =>
      import("./save-check").then(({ buildSaveCheck }) =>
        buildSaveCheck({ draft: draft.value, languageIds, takenNames }),
      ),
    // Its own answer to a save of a message is a message.
    readConflict: (current) => toDraft(current as unknown as MessageJson),
    ...(isNew
      ? {}
      : {
          action: (value: MessageDraft, before: MessageDraft) =>
            offerUndo({ value: before, isDeleted: false }, { value, isDeleted: false }),
        }),
    ...(isNew
      ? {
          onSaved: (_answer: unknown, value: MessageDraft) => {
            router.replace(messagePath(String(value["category"]).trim(), "staging"));
          },
        }
      : {}),
  });
  return { draft, save };
}
