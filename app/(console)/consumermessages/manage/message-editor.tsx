"use client";
import { useMemo, useCallback, useState } from "react";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { RecordEditor } from "@/app/_records/record-editor";
import { useRecordForm } from "@/app/_records/use-record-form";
import {
  type MessageDraft,
  findTextProblems,
  toBody,
  toDraft,
  fieldNames,
  memberOf,
  rateLanguage,
  type EditedMessage,
  findTaken,
  messageFamily,
} from "../message-draft";
import type { TakenName } from "@/lib/records/messages/console-queries";
import { LanguageEditor } from "./language-editor";
import { LanguageList } from "./language-list";
import type { NamedLanguage } from "@/lib/vocabulary/language-names";
import { mainLanguage, messageTextFields } from "@/lib/vocabulary/terms";
import { Section } from "@/app/_components/ui/section";
import type { PromptUse } from "@/lib/records/messages/overview";
import { GroupList } from "../used-by";
import { LinkButton } from "@/app/_components/ui/link-button";
import { Notice } from "@/app/_components/feedback/notice";
import { listSome, plural } from "@/lib/vocabulary/format-number";
import { TextField } from "@/app/_components/fields/text-field";
import { useListener } from "@/app/_components/hooks/use-listener";
import type { FieldErrors } from "@/app/_components/form/field-errors";

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((m) => m.RemovalDialog));

export function MessageEditor({
  takenNames,
  firstLanguage,
  message,
  environment,
  isInProduction,
  uses,
  usedLanguages,
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
      // A removed message with this name is no conflict: the new one continues its history.
      const removed = takenNames.find((taken) => !taken.isVisible && taken.name === category);
      // Only a new message's name may be normalized: another name would be another message.
      return toBody(isNew ? { ...value, category } : value, baseId === 0 && removed ? removed.id : baseId, false);
    },
    schema: async (value) => {
      const { buildSaveCheck } = await import("./save-check");
      return buildSaveCheck({ draft: value, base: initial, languageIds, takenNames });
    },
  });
  const problems = useMemo(
    () => findTextProblems(draft.value, initial, languageIds),
    [draft.value, initial, languageIds],
  );
  const { order, languageId, choose } = useChosenLanguage({ languages, initial, firstLanguage, errors: save.errors });
  const labels = useMemo(() => buildLabels(languages), [languages]);
  const language = languages.find(({ id }) => id === languageId) ?? { id: languageId, name: languageId };
  const onChange = (members: MessageDraft) => draft.set((value) => ({ ...value, ...members }));
  const part = { language, order, draft, problems, isReadOnly, onChange, onChoose: choose };

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
      {uses.length > 0 && (
        <SilentNotice names={languages.filter(({ id }) => usedLanguages.includes(id) && isSilent(draft.value, id))} />
      )}
      {isNew && (
        <NameSection
          value={String(draft.value["category"])}
          // Once it is sent, the name is fixed.
          onChange={save.isSaving ? undefined : onChange}
          takenNames={takenNames}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <div className="space-y-4 lg:sticky lg:top-[calc(var(--header)+var(--strip)+1rem)]">
          <LanguageList {...part} />
          {!isNew && <UsedByPanel uses={uses} className="max-lg:hidden" />}
        </div>
        <LanguageEditor {...part} />
        {!isNew && <UsedByPanel uses={uses} className="lg:hidden" />}
      </div>
    </RecordEditor>
  );
}

const isSilent = (draft: MessageDraft, id: string) =>
  id !== mainLanguage && rateLanguage(draft, id).state === "missing";

/** Drivers are asked in these languages with other messages only (`head-unit-rules.md` section 7). */
function SilentNotice({ names }: Readonly<{ names: readonly NamedLanguage[] }>) {
  if (names.length === 0) return null;
  const listed = listSome(
    names.map(({ name }) => name),
    5,
  );
  return (
    <Notice title={`${plural(names.length, "language")} of other messages missing: ${listed}`}>
      Functional groups ask drivers with this message. In these languages, head units in EXTERNAL_PROPRIETARY mode ask
      with an empty text. Those in PROPRIETARY or HTTP mode show the English one.
    </Notice>
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
        <GroupList uses={uses} className="space-y-1 text-table break-words" />
      )}
    </Section>
  );
}

/** Functional groups refer to the name, so it cannot change after the first save. */
function NameSection({
  value,
  onChange,
  takenNames,
}: Readonly<{
  value: string;
  onChange: ((members: MessageDraft) => void) | undefined;
  takenNames: readonly TakenName[];
}>) {
  const taken = findTaken(value, takenNames);
  return (
    <Section title="General">
      <div className="max-w-xl space-y-3">
        <TextField
          label="Category"
          name="category"
          hint="The name functional groups use for this message, such as Location. You cannot change it later."
          value={value}
          onChange={onChange && ((category) => onChange({ category }))}
          autoComplete="off"
          spellCheck={false}
        />
        {taken && (
          <Notice
            title={`There is already a message ${taken.name}`}
            action={
              <LinkButton size="sm" href={`/consumermessages/manage?id=${taken.id}&environment=staging`}>
                Open it
              </LinkButton>
            }
          >
            Choose another name or edit the existing message.
          </Notice>
        )}
      </div>
    </Section>
  );
}

const rank = { missing: 0, partial: 1, complete: 2 } as const;

/**
 * English first, then the most incomplete. The order of the first render stays, so that languages don't move during
 * edits.
 */
function useChosenLanguage({
  languages,
  initial,
  firstLanguage,
  errors,
}: Readonly<{
  languages: readonly NamedLanguage[];
  initial: MessageDraft;
  firstLanguage: string | null;
  errors: FieldErrors;
}>) {
  const [firstValue] = useState(initial);
  const [languageId, setLanguageId] = useState(firstLanguage ?? mainLanguage);
  const order = useMemo(() => {
    const rankOf = ({ id }: NamedLanguage) => (id === mainLanguage ? -1 : rank[rateLanguage(firstValue, id).state]);
    return languages.toSorted((one, other) => rankOf(one) - rankOf(other) || one.name.localeCompare(other.name, "en"));
  }, [languages, firstValue]);

  const choose = useCallback((id: string) => {
    setLanguageId(id);
    const address = new URL(window.location.href);
    address.searchParams.set("lang", id);
    // Changes only the view: nothing to load.
    window.history.replaceState(null, "", address);
  }, []);

  // A refused save opens the first language with an error.
  const [seen, setSeen] = useState(errors);
  if (seen !== errors) {
    setSeen(errors);
    const wrong = Object.keys(errors).map((path) => path.split(".")[0]);
    const first = languages.find(({ id }) => wrong.includes(id));
    if (first && !wrong.includes(languageId)) setLanguageId(first.id);
  }

  // The summary links to fields of languages that are not rendered yet.
  useListener("hashchange", () => {
    const match = /^#field-([a-z]{2}-[a-z]{2})_/.exec(window.location.hash);
    if (match?.[1] !== undefined) choose(match[1]);
  });

  return { order, languageId, choose };
}
