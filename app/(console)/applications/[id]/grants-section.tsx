"use client";
import { Lock, ShieldCheck } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { SwitchField } from "@/app/_components/fields/switch-field";
import type {
  ApplicationGroupJson,
  ApplicationJson,
  ApplicationServiceJson,
} from "@/lib/apps/applications/answer-schema";
import { decidedState } from "@/lib/apps/applications/decisions";
import { useDecisions } from "../decision-provider";
import { useOptimisticSwitch } from "./use-optimistic-switch";

export function GrantsSection({
  app,
  groups,
}: Readonly<{ app: ApplicationJson; groups: readonly ApplicationGroupJson[] }>) {
  const isFrozen = app.approval_status === "ACCEPTED";
  return (
    <Section id="grants" title="Manual grants" description="They apply to this version only.">
      <div className="space-y-5">
        {isFrozen && (app.services.length > 0 || groups.length > 0) && <Frozen />}
        {app.services.map((service) => (
          <ServiceGrants key={service.name} id={app.id} service={service} isFrozen={isFrozen} />
        ))}
        <GroupGrants id={app.id} groups={groups} isFrozen={isFrozen} />
      </div>
    </Section>
  );
}

function Frozen() {
  const { decide, detail, isBusy } = useDecisions();
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-hover px-3 py-2 text-table">
      <p className="flex min-w-0 grow items-center gap-2">
        <Lock aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <span id="grants-frozen">
          Approved versions cannot be changed. Move this version to staging to change its grants.
        </span>
      </p>
      {detail.state === "ACCEPTED" && (
        <Button size="sm" needsServer needs="publish" disabled={isBusy} onClick={() => decide(decidedState("stage"))}>
          Move to staging…
        </Button>
      )}
    </div>
  );
}

function ServiceGrants({
  id,
  service,
  isFrozen,
}: Readonly<{ id: number; service: ApplicationServiceJson; isFrozen: boolean }>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{service.display_name} service provider</legend>
      <p className="mb-2 text-table text-muted">
        {service.service_names.length === 0
          ? "Publishes the service without a name."
          : `Publishes the service as ${service.service_names.join(", ")}.`}{" "}
        The app stays a provider even if all permissions are off.
      </p>
      {service.permissions.length === 0 ? (
        <p className="text-table text-muted">This service type has no permissions.</p>
      ) : (
        <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
          {service.permissions.map((permission) => (
            <GrantSwitch
              key={permission.name}
              label={permission.display_name ?? permission.name}
              hint={
                permission.display_name !== null && permission.display_name !== permission.name
                  ? permission.name
                  : undefined
              }
              value={permission.is_selected}
              isFrozen={isFrozen}
              path="/api/v1/applications/service/permission"
              body={(is_selected) => ({
                id,
                is_selected,
                service_type_name: service.name,
                permission_name: permission.name,
              })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function GroupGrants({
  id,
  groups,
  isFrozen,
}: Readonly<{ id: number; groups: readonly ApplicationGroupJson[]; isFrozen: boolean }>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">Proprietary functional groups</legend>
      {groups.length === 0 ? (
        <p className="text-table text-muted">
          No functional group in production is marked as proprietary.{" "}
          <Link href="/functionalgroups?environment=production">View functional groups</Link>
        </p>
      ) : (
        <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
          {groups.map((group) => (
            <GrantSwitch
              key={group.property_name}
              label={group.property_name}
              hint={
                <>
                  {group.description}
                  <Link
                    href={`/functionalgroups/manage?id=${group.id}&environment=PRODUCTION`}
                    aria-label={`About the group ${group.property_name}`}
                    className="mt-0.5 flex w-fit items-center gap-1 whitespace-nowrap"
                  >
                    <ShieldCheck aria-hidden="true" className="size-3.5" />
                    About the group
                  </Link>
                </>
              }
              value={group.is_selected}
              isFrozen={isFrozen}
              path="/api/v1/applications/groups"
              body={(is_selected) => ({ app_id: id, is_selected, property_name: group.property_name })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

function GrantSwitch({
  label,
  hint,
  value,
  isFrozen,
  path,
  body,
}: Readonly<{
  label: string;
  hint: React.ReactNode;
  value: boolean;
  isFrozen: boolean;
  path: string;
  body: (isSelected: boolean) => object;
}>) {
  const describe = (next: boolean) => `${label}: ${next ? "granted" : "not granted"}`;
  const [isOn, change] = useOptimisticSwitch(value, { path, method: "put", body, describe });
  return (
    <SwitchField
      needsServer
      needs="publish"
      label={label}
      hint={hint}
      checked={isOn}
      onChange={change}
      disabled={isFrozen}
    />
  );
}
