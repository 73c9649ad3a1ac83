"use client";
import { useMemo, type ReactNode } from "react";
import { DraftForm } from "@/app/_components/form/draft-form";
import { deepEqual, listDifferences } from "@/app/_components/form/deep-equal";
import { useDraft } from "@/app/_components/form/use-draft";
import { useSave } from "@/app/_components/form/use-save";
import { Section } from "@/app/_components/section";
import { SwitchField } from "@/app/_components/switch-field";
import type { WireModuleConfig } from "@/lib/module-config/wire";
import { AddressFields } from "./address-fields";
import { Compared } from "./compared";
import { draftKey, type Editable, labels, toBody, toEditable } from "./editable";
import { NotificationsTable } from "./notifications-table";
import { RefreshFields } from "./refresh-fields";
import { SectionIndex } from "./section-index";

/** The module config as a form; in production the same, for reading. */
export function ModuleConfigForm({
  config,
  production,
  isReadOnly,
  children,
}: Readonly<{
  config: WireModuleConfig;
  production: WireModuleConfig | null;
  isReadOnly: boolean;
  /** What stands below the fields and is stored on its own. */
  children: ReactNode;
}>) {
  const initial = useMemo(() => toEditable(config), [config]);
  const compared = useMemo(() => (production === null ? null : toEditable(production)), [production]);
  const draft = useDraft<Editable>({ key: draftKey, initial, baseId: config.id });
  const save = useSave<Editable>({
    draft,
    path: "/api/v1/module",
    body: toBody,
    schema: () => import("@/lib/module-config/schema").then((m) => m.moduleConfigBody),
    readConflict: (current) => toEditable(current as unknown as WireModuleConfig),
  });
  const value = isReadOnly ? initial : draft.value;
  const set = isReadOnly ? null : draft.set;
  const parts = { value, set, production: isReadOnly ? null : compared };
  const differing = compared === null || isReadOnly ? [] : listDifferences(compared, value);

  const fields = (
    <>
      {differing.length > 0 && (
        <p className="text-table text-muted">
          {differing.length === 1 ? "1 group of settings differs" : `${differing.length} groups of settings differ`}{" "}
          from production: {differing.map((name) => labels[name]).join(", ")}.
        </p>
      )}
      <RefreshFields {...parts} />
      <AddressFields {...parts} />
      <Section id="lock-screen" title="Lock screen">
        <SwitchField
          label="Users may dismiss the lock screen"
          hint="While the phone is connected. The head unit should warn, and make sure that it is not the driver."
          checked={value.lock_screen_dismissal_enabled}
          disabled={set === null}
          onChange={(is) => set?.({ lock_screen_dismissal_enabled: is })}
        />
        {set && compared && !deepEqual(compared.lock_screen_dismissal_enabled, value.lock_screen_dismissal_enabled) && (
          <p className="mt-2 text-xs">
            <Compared
              value={value.lock_screen_dismissal_enabled}
              production={compared.lock_screen_dismissal_enabled}
              onRevert={(is) => {
                set({ lock_screen_dismissal_enabled: is });
              }}
            />
          </p>
        )}
      </Section>
      <NotificationsTable {...parts} />
    </>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,48rem)_12rem]">
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
      <SectionIndex />
    </div>
  );
}
