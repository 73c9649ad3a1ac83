"use client";
import dynamic from "next/dynamic";
import useSWR from "swr";
import { groupFamily } from "@/app/(console)/functionalgroups/group-family";
import { buildLabels, type GroupForm } from "@/app/(console)/functionalgroups/group-form";
import { EditorHeader } from "@/app/(console)/functionalgroups/manage/editor-header";
import { effectHint, effectTitle } from "@/app/(console)/functionalgroups/effect-labels";
import { GeneralSection } from "@/app/(console)/functionalgroups/manage/general-section";
import { GrantsSection } from "@/app/(console)/functionalgroups/manage/grants-section";
import type { GroupFacts } from "@/app/(console)/functionalgroups/manage/group-facts";
import { PolicyPane } from "@/app/(console)/functionalgroups/manage/policy-pane";
import { RpcSection } from "@/app/(console)/functionalgroups/manage/rpcs/rpc-section";
import { DraftForm } from "@/app/_components/form/draft-form";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { useActivity } from "@/app/_components/hooks/use-activity";
import { EditorTabs } from "@/app/_releases/history/editor-tabs";
import { useRecordForm } from "@/app/_records/use-record-form";
import { get } from "@/lib/platform/http/client";

const EffectPane = dynamic(
  () => import("@/app/(console)/functionalgroups/manage/effect-pane").then((module) => module.EffectPane),
  { ssr: false, loading: () => <Skeleton className="h-24" /> },
);

/** One group: its form at the left, what it does to apps and makes of the policy table at the right. */
export function GroupEditor({ initial, facts }: Readonly<{ initial: GroupForm; facts: GroupFacts }>) {
  const { id, copyOf, environment, isDeleted } = facts;
  const isNew = id === 0;
  const isReadOnly = environment === "production" || isDeleted;
  const names = useSWR<{ names: readonly string[] }>(
    isNew ? "/api/v1/groups/names" : null,
    (path: string) => get(path) as Promise<{ names: readonly string[] }>,
  );
  const taken = names.data?.names ?? [];
  const edited = { id, name: initial.name, copyOf, isReadOnly };
  const { draft, save } = useRecordForm(groupFamily, edited, {
    initial,
    schema: async () => (await import("@/app/(console)/functionalgroups/manage/check-group")).checkGroup(facts, taken),
  });

  // Before the reader acts there is nothing to tell.
  const isActive = useActivity();

  const form = draft.value;
  const part = { form, facts, change: isReadOnly ? undefined : draft.set };
  const parts = (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_19rem] xl:items-start 2xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="min-w-0 space-y-4">
        <GeneralSection {...part} taken={taken} />
        <RpcSection {...part} />
        <GrantsSection {...part} />
      </div>
      <div className="min-w-0 space-y-4 xl:sticky xl:top-[calc(var(--header)+var(--strip)+1rem)] xl:max-h-[calc(100dvh-var(--header)-var(--strip)-5rem)] xl:overflow-y-auto">
        {!isReadOnly &&
          (isActive || draft.isDirty ? (
            <EffectPane form={form} isDirty={draft.isDirty} />
          ) : (
            <Section title={effectTitle} description="In staging, once it is saved.">
              <p className="text-table text-muted">{effectHint}</p>
            </Section>
          ))}
        <PolicyPane form={form} facts={facts} />
      </div>
    </div>
  );
  return (
    <>
      <EditorHeader facts={facts} name={initial.name} draft={draft} save={save.submit} />
      <EditorTabs item={isNew ? null : { family: groupFamily.family, key: initial.name }}>
        {isReadOnly ? (
          parts
        ) : (
          <DraftForm draft={draft} save={save} labels={buildLabels(form)}>
            {parts}
          </DraftForm>
        )}
      </EditorTabs>
    </>
  );
}
