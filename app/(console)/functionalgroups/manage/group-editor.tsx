"use client";
import type { ReactNode } from "react";
import useSWR from "swr";
import { buildLabels, type GroupForm, groupFamily } from "../group-form";
import { effectHint, effectTitle } from "../effect-labels";
import { GeneralSection, GrantsSection } from "./general-section";
import type { GroupFacts } from "./group-facts";
import { RpcSection } from "./rpcs/rpc-section";
import { Section } from "@/app/_components/ui/section";
import { partOnDemand, dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { useActivity } from "@/app/_components/hooks/use-activity";
import { JsonSection } from "@/app/_records/json-section";
import { RecordEditor } from "@/app/_records/record-editor";
import { useRecordForm } from "@/app/_records/use-record-form";
import { get } from "@/lib/platform/http/client";

const PolicyJson = partOnDemand(() => import("./policy-json").then((module) => module.PolicyJson), "m-4 h-40");

const EffectPane = partOnDemand(() => import("./effect-pane").then((module) => module.EffectPane), "h-24");

const RemovalDialog = dialogOnDemand(() => import("../removal-dialog").then((module) => module.RemovalDialog));

export function GroupEditor({
  initial,
  facts,
  consents,
}: Readonly<{
  initial: GroupForm;
  facts: GroupFacts;
  /** What drivers answered; null: nobody was asked yet. */
  consents: ReactNode;
}>) {
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
    schema: async () => (await import("./check-group")).checkGroup(facts, taken),
  });

  // Nothing to report before the reader acts.
  const isActive = useActivity();

  const form = draft.value;
  const part = { form, facts, change: isReadOnly ? undefined : draft.set };
  return (
    <RecordEditor
      family={groupFamily}
      name={initial.name}
      record={facts}
      draft={draft}
      save={save}
      labels={buildLabels(form)}
      renderRemoval={(removal) => (
        <RemovalDialog group={{ id, name: initial.name, isNew: !facts.isPromoted }} {...removal} />
      )}
    >
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_19rem] xl:items-start 2xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="min-w-0 space-y-4">
          <GeneralSection {...part} taken={taken} isSaving={save.isSaving} />
          <RpcSection {...part} />
          <GrantsSection {...part} />
          {consents}
        </div>
        <div className="min-w-0 gap-4 max-xl:contents xl:sticky xl:flex xl:flex-col xl:top-[calc(var(--header)+var(--strip)+1rem)] xl:max-h-[calc(100dvh-var(--header)-var(--strip)-5rem)] xl:overflow-y-auto">
          {!isReadOnly &&
            (isActive || draft.isDirty ? (
              <EffectPane form={form} isDirty={draft.isDirty} />
            ) : (
              <Section title={effectTitle} description="In staging, after you save.">
                <p className="text-table text-muted">{effectHint}</p>
              </Section>
            ))}
          <JsonSection
            description={
              environment === "production"
                ? "What vehicles receive now in functional_groupings."
                : "What the staging table will hold in functional_groupings once you save."
            }
          >
            <PolicyJson form={form} facts={facts} />
          </JsonSection>
        </div>
      </div>
    </RecordEditor>
  );
}
