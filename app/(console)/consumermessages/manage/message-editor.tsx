"use client";
import { useMemo } from "react";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordEditor } from "@/app/_records/record-editor";
import { useRecordForm } from "@/app/_records/use-record-form";
import { type MessageDraft, findTextProblems, toBody, toDraft, fieldNames, memberOf } from "../message-draft";
import { messageFamily } from "../message-family";
import type { EditedMessage, TakenName } from "./edited-message";
import { LanguageEditor } from "./language-editor";
import { LanguageList } from "./language-list";
import { NameSection } from "./name-section";
import { useChosenLanguage } from "./use-chosen-language";
import type { NamedLanguage } from "@/lib/labels/language-names";
import { messageTextFields } from "@/lib/labels/vocabulary";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import type { PromptUse } from "@/lib/content/messages/overview";
import { describePlace } from "@/app/(console)/consumermessages/describe-place";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((m) => m.RemovalDialog));

/** A message with its languages at the left and the texts of one of them at the right. */
export function MessageEditor({
  takenNames,
  firstLanguage,
  message,
  environment,
  isInProduction,
  uses,
  languages,
}: Readonly<EditedMessage & { takenNames: readonly TakenName[]; firstLanguage: string | null }>) {
  const { id, message_category: name, status, is_deleted: isDeleted, updated_ts: updatedAt } = message;
  const isNew = id === 0;
  const isReadOnly = environment === "production" || isDeleted;
  const initial: MessageDraft = useMemo(() => toDraft(message), [message]);
  const languageIds = useMemo(() => languages.map(({ id }) => id), [languages]);
  const edited = { id, name, isReadOnly };
  const { draft, save } = useRecordForm(messageFamily, edited, {
    initial,
    body: (value, baseId) => {
      const category = messageFamily.nameOf(value);
      // A removed message of this name is no conflict: the new one continues its history.
      const removed = takenNames.find((taken) => !taken.isVisible && taken.name === category);
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
    <RecordEditor
      family={messageFamily}
      name={name}
      record={{
        id,
        status,
        environment,
        isDeleted,
        isPromoted: isInProduction,
        changedAt: typeof updatedAt === "string" ? updatedAt : null,
      }}
      draft={draft}
      save={save}
      labels={labels}
      renderRemoval={(removal) => (
        <RemovalDialog message={{ id, category: name, isNew: !isInProduction, uses }} {...removal} />
      )}
    >
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
    </RecordEditor>
  );
}

function buildLabels(languages: readonly NamedLanguage[]): Readonly<Record<string, string>> {
  return {
    category: "Category",
    ...Object.fromEntries(
      languages.flatMap(({ id, name }) => [
        [id, `Has ${name}`] as const,
        ...messageTextFields.map((field) => [memberOf(id, field), `${name} · ${fieldNames[field]}`] as const),
      ]),
    ),
  };
}

function UsedByPanel({ uses, className }: Readonly<{ uses: readonly PromptUse[]; className?: string }>) {
  return (
    <Section title="Used by" {...(className === undefined ? {} : { className })}>
      {uses.length === 0 ? (
        <p className="text-table text-muted">
          No functional group uses this message. Head units show it if they know its name.
        </p>
      ) : (
        <ul className="space-y-1 text-table">
          {uses.map((use) => {
            const place = describePlace(use);
            const environment = use.stagingId === null ? "production" : "staging";
            const id = use.stagingId ?? use.productionId ?? 0;
            return (
              <li key={use.name} className="break-words">
                <Link href={`/functionalgroups/manage?id=${id}&environment=${environment}`}>{use.name}</Link>
                {place && <span className="text-muted">{` · ${place}`}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
