"use client";
import { useMemo, type ReactNode } from "react";
import { DraftForm } from "@/app/_components/form/draft-form";
import { listDifferences } from "@/app/_components/form/deep-equal";
import { useRecordForm } from "@/app/_records/use-record-form";
import { EditorTabs } from "@/app/_releases/history/history";
import { SectionIndex } from "@/app/_components/ui/outline/section-index";
import { listSome, plural } from "@/lib/vocabulary/format-number";
import type { WireModuleConfig } from "@/lib/records/module-config/wire";
import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";
import { AddressFields } from "./address-fields";
import { draftName, labels, toEditable, type FormPart, moduleStore } from "./editable";
import { NotificationsTable } from "./notifications-table";
import { PromoteButton } from "@/app/_records/promote-button";
import { reviewPath } from "@/app/_releases/item-address";
import { RefreshFields } from "./refresh-fields";
import { RpcPriorities } from "./rpc-priorities";
import { Section } from "@/app/_components/ui/section";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { Compared } from "./compared";
import { guides } from "@/app/_components/guides";
import { PageHeader } from "@/app/_components/ui/page-header";
import { RecordChip } from "@/app/_components/ui/status-chip";

const sections = [
  { id: "refresh", label: "Refresh" },
  { id: "notifications", label: "Notifications per minute" },
  { id: "addresses", label: "Addresses" },
  { id: "mapping", label: "Vehicle data mapping" },
  { id: "lock-screen", label: "Lock screen" },
  { id: "rpc-priorities", label: "RPC priorities" },
  { id: "certificate", label: "Certificate" },
];

const moduleConfigItem = { family: "module_config", key: "" } as const;

const maxNames = 6;

export function ModuleConfigEditor({
  config,
  production,
  environment,
  children,
}: Readonly<{
  config: WireModuleConfig;
  production: WireModuleConfig | null;
  environment: Environment;
  children: ReactNode;
}>) {
  const isReadOnly = environment === "production";
  const initial = useMemo(() => toEditable(config), [config]);
  const compared = useMemo(() => (production === null ? null : toEditable(production)), [production]);
  const edited = { id: config.id ?? 0, name: draftName, isReadOnly };
  const { draft, save } = useRecordForm(moduleStore, edited, {
    initial,
    schema: () => import("@/lib/records/module-config/schema").then((m) => m.moduleConfigBody),
  });
  const { value } = draft;
  const parts = { value, set: isReadOnly ? null : draft.set, production: isReadOnly ? null : compared };
  const fields = (
    <>
      {!isReadOnly && compared && <Differences names={listDifferences(compared, value)} />}
      {/* Side by side if there is room; the reading order matches the index. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 2xl:grid-cols-2">
        <div className="space-y-4">
          <RefreshFields {...parts} />
          <NotificationsTable {...parts} />
        </div>
        <div className="space-y-4">
          <AddressFields {...parts} />
          <LockScreenField {...parts} />
          <RpcPriorities {...parts} />
        </div>
      </div>
    </>
  );
  const isModified = config.status === "STAGING";
  return (
    <>
      <ModuleConfigHeader
        status={config.status}
        actions={
          !isReadOnly &&
          (isModified || draft.isDirty) && (
            <PromoteButton
              href={reviewPath([{ family: "module_config" }])}
              unsaved={draft.isDirty ? { save: save.submit, isSaved: isModified } : null}
            />
          )
        }
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
  const shown = names.map((name) => labels[name] ?? name);
  return (
    <p className="text-table text-muted">
      {plural(names.length, "field differs", "fields differ")} from production: {listSome(shown, maxNames)}.
    </p>
  );
}

function LockScreenField({ value, set, production }: Readonly<FormPart>) {
  const isAllowed = value.lock_screen_dismissal_enabled;
  const change = (is: boolean) => set?.({ lock_screen_dismissal_enabled: is });
  return (
    <Section id="lock-screen" title="Lock screen">
      <SwitchField
        label="Users may dismiss the lock screen"
        hint="While the phone is connected. The head unit should show a warning and make sure that it is not the driver."
        checked={isAllowed}
        disabled={set === null}
        onChange={change}
      />
      <div className="mt-2 text-xs empty:hidden">
        {set && <Compared value={isAllowed} production={production?.lock_screen_dismissal_enabled} onRevert={change} />}
      </div>
    </Section>
  );
}

export function ModuleConfigHeader({
  status,
  actions,
}: Readonly<{
  /** Null: nothing stored. */
  status: RecordStatus | null;
  actions?: ReactNode;
}>) {
  return (
    <PageHeader
      title="Module config"
      helpHref={guides.moduleConfig}
      description="When head units request a new table, which addresses they use, and how many notifications apps may show."
      state={status !== null && <RecordChip status={status} isDeleted={false} />}
      actions={actions}
    />
  );
}
