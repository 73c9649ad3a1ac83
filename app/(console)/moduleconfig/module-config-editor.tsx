"use client";
import { useMemo, type ReactNode } from "react";
import { DraftForm } from "@/app/_components/form/draft-form";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { useDraft } from "@/app/_components/form/use-draft";
import { useSave } from "@/app/_components/form/use-save";
import { draftKeyOf } from "@/app/_records/family";
import { useUndo } from "@/app/_records/use-undo";
import { EditorTabs } from "@/app/_releases/history/editor-tabs";
import { SectionIndex } from "@/app/_components/ui/outline/section-index";
import type { WireModuleConfig } from "@/lib/content/module-config/wire";
import type { Environment } from "@/lib/labels/vocabulary";
import { AddressFields } from "./address-fields";
import { draftName, type Editable, labels, toBody, toEditable } from "./editable";
import { LockScreenField } from "./lock-screen-field";
import { moduleStore } from "./module-config-api";
import { ModuleConfigHeader } from "./module-config-header";
import { NotificationsTable } from "./notifications-table";
import { ModuleConfigPromotion } from "./module-config-promotion";
import { RefreshFields } from "./refresh-fields";

const sections = [
  { id: "refresh", label: "Refresh" },
  { id: "notifications", label: "Notifications per minute" },
  { id: "addresses", label: "Addresses" },
  { id: "mapping", label: "Vehicle data mapping" },
  { id: "lock-screen", label: "Lock screen" },
  { id: "certificate", label: "Certificate" },
];

const moduleConfigItem = { family: "module_config", key: "" } as const;

/** How many of the fields that differ from production are named. */
const maxNames = 6;

/** The module config: a head with its state and promotion, and a form; in production the same for reading. */
export function ModuleConfigEditor({
  config,
  production,
  environment,
  children,
}: Readonly<{
  config: WireModuleConfig;
  production: WireModuleConfig | null;
  environment: Environment;
  /** What stands below the fields and is stored on its own. */
  children: ReactNode;
}>) {
  const isReadOnly = environment === "production";
  const initial = useMemo(() => toEditable(config), [config]);
  const compared = useMemo(() => (production === null ? null : toEditable(production)), [production]);
  const draft = useDraft<Editable>({ key: draftKeyOf(moduleStore, draftName), initial, baseId: config.id });
  const offerUndo = useUndo(moduleStore);
  const save = useSave<Editable>({
    draft,
    path: moduleStore.api,
    body: toBody,
    schema: () => import("@/lib/content/module-config/schema").then((m) => m.moduleConfigBody),
    readConflict: moduleStore.fromCurrent,
    action: (form, before) => offerUndo({ form: before, isDeleted: false }, { form, isDeleted: false }),
  });
  const value = isReadOnly ? initial : draft.value;
  const parts = { value, set: isReadOnly ? null : draft.set, production: isReadOnly ? null : compared };
  const fields = (
    <>
      {!isReadOnly && compared && <Differences names={listDifferences(compared, value)} />}
      {/* Side by side where there is room; read from the top, the order stays that of the index. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 2xl:grid-cols-2">
        <div className="space-y-4">
          <RefreshFields {...parts} />
          <NotificationsTable {...parts} />
        </div>
        <div className="space-y-4">
          <AddressFields {...parts} />
          <LockScreenField {...parts} />
        </div>
      </div>
    </>
  );
  const isModified = config.status === "STAGING";
  return (
    <>
      <ModuleConfigHeader
        status={config.status}
        actions={!isReadOnly && <ModuleConfigPromotion isModified={isModified} draft={draft} save={save} />}
      />
      <EditorTabs item={moduleConfigItem}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,48rem)_12rem] 2xl:grid-cols-[minmax(0,88rem)_12rem]">
          <div className="space-y-4">
            {isReadOnly ? (
              <div className="space-y-4">{fields}</div>
            ) : (
              <DraftForm draft={draft} save={save} labels={labels}>
                {fields}
              </DraftForm>
            )}
            {children}
          </div>
          <SectionIndex entries={sections} />
        </div>
      </EditorTabs>
    </>
  );
}

function Differences({ names }: Readonly<{ names: readonly string[] }>) {
  if (names.length === 0) return null;
  const shown = names.slice(0, maxNames).map((name) => labels[name] ?? name);
  const rest = names.length - shown.length;
  return (
    <p className="text-table text-muted">
      {names.length === 1 ? "1 field differs" : `${names.length} fields differ`} from production: {shown.join(", ")}
      {rest > 0 && ` and ${rest} more`}.
    </p>
  );
}
