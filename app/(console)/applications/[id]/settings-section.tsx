"use client";
import { useState } from "react";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { Chip } from "@/app/_components/ui/chip";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { Section } from "@/app/_components/ui/section";
import { SwitchField } from "@/app/_components/fields/switch-field";
import { decidedState } from "@/lib/apps/applications/decisions";
import type { AppState } from "@/lib/apps/applications/versions";
import type { ApplicationJson } from "@/lib/apps/applications/answer-schema";
import { priorityLabels } from "@/lib/vocabulary/module-config-labels";
import { appPriorities, type HybridPreference } from "@/lib/vocabulary/terms";
import { SelectField } from "@/app/_components/fields/select-field";
import { useDecisions } from "../decision-provider";
import { type SwitchTarget, useOptimisticSwitch } from "./use-optimistic-switch";

type Scope = "this version" | "all versions" | "future versions";

export function SettingsSection({ app, state }: Readonly<{ app: ApplicationJson; state: AppState }>) {
  const isRefused = state === "LIMITED" || state === "BLOCKED";
  return (
    <Section id="settings" title="Settings" description="Changes take effect at once." flush>
      <ul className="divide-y divide-line">
        {!isRefused && <AutoApproval app={app} />}
        <FlagSwitch
          label="Administrator groups"
          scope="all versions"
          hint={(isOn) => (isOn ? "The app gets every administrator group." : "The app gets no administrator group.")}
          value={app.is_administrator_app}
          path="/api/v1/applications/administrator"
          body={(is_administrator_app) => ({ uuid: app.uuid, is_administrator_app })}
        />
        <FlagSwitch
          label="Unknown-RPC passthrough"
          scope="all versions"
          hint={(isOn) =>
            isOn
              ? "RPCs that the head unit does not know are passed to app services."
              : "RPCs that the head unit does not know are refused."
          }
          value={app.allow_unknown_rpc_passthrough}
          path="/api/v1/applications/passthrough"
          body={(allow_unknown_rpc_passthrough) => ({ uuid: app.uuid, allow_unknown_rpc_passthrough })}
        />
        <FlagSwitch
          label="Require RPC encryption"
          scope="this version"
          hint={(isOn) =>
            isOn
              ? "The app must encrypt RPCs of groups that require it."
              : "The app may send all its RPCs unencrypted, whatever its groups require."
          }
          value={app.encryption_required}
          path="/api/v1/applications/rpcEncryption"
          method="put"
          body={(encryption_required) => ({ id: app.id, encryption_required })}
        />
        <FlagChoice
          label="Hybrid preference"
          hint="Which variant a head unit shows when the same app exists on several platforms."
          value={app.hybrid_app_preference}
          options={preferences}
          path="/api/v1/applications/hybrid"
          body={(hybrid_preference) => ({ uuid: app.uuid, hybrid_preference })}
        />
        <FlagChoice
          label="Priority"
          hint="How many notifications per minute the app may show in the background: Module config has a limit for each priority."
          value={app.priority}
          options={priorities}
          path="/api/v1/applications/priority"
          body={(priority) => ({ uuid: app.uuid, priority })}
        />
      </ul>
    </Section>
  );
}

function ScopeChip({ scope }: Readonly<{ scope: Scope }>) {
  return <Chip tone={scope === "this version" ? "plain" : "calm"}>{scope}</Chip>;
}

function Named({ label, scope }: Readonly<{ label: string; scope: Scope }>) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
      {label}
      <ScopeChip scope={scope} />
    </span>
  );
}

function FlagSwitch({
  label,
  scope,
  hint,
  value,
  ...target
}: Readonly<
  {
    label: string;
    scope: Scope;
    hint: (isOn: boolean) => string;
    value: boolean;
  } & Omit<SwitchTarget<boolean>, "describe">
>) {
  const describe = (next: boolean) => `${label}: ${next ? "on" : "off"}`;
  const [isOn, change] = useOptimisticSwitch(value, { ...target, describe });
  return (
    <li className="px-4 py-3">
      <SwitchField
        needsServer
        needs="publish"
        label={<Named label={label} scope={scope} />}
        hint={hint(isOn)}
        checked={isOn}
        onChange={change}
      />
    </li>
  );
}

/** Needs a confirmation when turned on: versions then pass unseen. */
function AutoApproval({ app }: Readonly<{ app: ApplicationJson }>) {
  const [isAsking, setIsAsking] = useState(false);
  const { decide } = useDecisions();
  const isPending = app.approval_status === "PENDING" && !app.is_blacklisted;
  const [acceptsToo, setAcceptsToo] = useState(false);
  const [isOn, change] = useOptimisticSwitch(app.is_auto_approved_enabled, {
    path: "/api/v1/applications/auto",
    body: (is_auto_approved_enabled) => ({ uuid: app.uuid, is_auto_approved_enabled }),
    describe: (next) => `Automatic approval: ${next ? "on" : "off"}`,
  });
  return (
    <li className="px-4 py-3">
      <SwitchField
        needsServer
        needs="publish"
        label={<Named label="Approve automatically" scope="future versions" />}
        hint={
          isOn
            ? isPending
              ? "Later versions go to production without review. This version still needs a decision."
              : "Later versions go to production without review."
            : "Every later version waits for review before vehicles get it."
        }
        checked={isOn}
        onChange={(next) => {
          if (next) setIsAsking(true);
          else change(false);
        }}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Approve later versions of ${app.name} automatically?`}
        confirmLabel="Turn on"
        onConfirm={() => {
          change(true);
          // Confirmed like every decision, with its effect on vehicles.
          if (isPending && acceptsToo) decide(decidedState("accept"));
        }}
        fields={
          isPending && (
            <CheckboxField
              label="Also approve this version"
              hint="You see the effect on vehicles before you confirm."
              checked={acceptsToo}
              onChange={setAcceptsToo}
            />
          )
        }
      >
        <p>Later versions get everything they request, including app services, in staging and production.</p>
        {isPending && <p>This version still needs a decision. Automatic approval does not change it.</p>}
      </ConfirmDialog>
    </li>
  );
}

const preferences = [
  { value: "BOTH", label: "Both" },
  { value: "MOBILE", label: "Mobile" },
  { value: "CLOUD", label: "Cloud" },
] as const satisfies readonly { readonly value: HybridPreference; readonly label: string }[];

const priorities = appPriorities.map((value) => ({ value, label: priorityLabels[value] }));

function FlagChoice<T extends string>({
  label,
  hint,
  value,
  options,
  ...target
}: Readonly<
  {
    label: string;
    hint: string;
    value: T;
    options: readonly { readonly value: T; readonly label: string }[];
  } & Omit<SwitchTarget<T>, "describe">
>) {
  const describe = (next: T) => `${label}: ${options.find((option) => option.value === next)?.label ?? next}`;
  const [chosen, change] = useOptimisticSwitch(value, { ...target, describe });
  return (
    <li className="px-4 py-3">
      <SelectField
        needsServer
        needs="publish"
        className="max-w-sm"
        label={<Named label={label} scope="all versions" />}
        hint={hint}
        value={chosen}
        options={options}
        onChange={change}
      />
    </li>
  );
}
