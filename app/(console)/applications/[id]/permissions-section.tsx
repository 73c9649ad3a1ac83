"use client";
import { useState } from "react";
import { Chip } from "@/app/_components/ui/chip";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { TextField } from "@/app/_components/fields/text-field";
import type { ApplicationJson } from "@/lib/applications/answer-schema";
import { SelectField } from "@/app/_components/fields/select-field";
import { formatNumber } from "@/lib/words/format-number";
import { filterPermissions, levelChoices, typeChoices, type PermissionFilter } from "./permission-filter";

const everything: PermissionFilter = { search: "", type: "all", level: "all" };
const typeNames = { RPC: "RPC", PARAMETER: "Parameter", MODULE: "Module" } as const;

/** What the version asks for. Searched and filtered in the browser: it is never more than a few hundred. */
export function PermissionsSection({ permissions }: Readonly<{ permissions: ApplicationJson["permissions"] }>) {
  const [filter, setFilter] = useState(everything);
  const shown = filterPermissions(permissions, filter);
  const change = (next: Partial<PermissionFilter>) => setFilter({ ...filter, ...next });
  return (
    <Section
      id="permissions"
      title="Requested permissions"
      description="What this version asks for, with the lowest HMI level it wants to use each at."
      flush
    >
      {permissions.length === 0 ? (
        <p className="px-4 py-3 text-muted">This version asks for no permissions.</p>
      ) : (
        <>
          <div className="grid gap-2 border-b border-line px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_10rem_10rem]">
            <TextField
              label="Search permissions"
              hideLabel
              type="search"
              placeholder="Search permissions"
              value={filter.search}
              onChange={(search) => change({ search })}
            />
            <SelectField
              label="Type"
              hideLabel
              value={filter.type}
              options={typeChoices}
              onChange={(type) => change({ type })}
            />
            <SelectField
              label="HMI level"
              hideLabel
              value={filter.level}
              options={levelChoices}
              onChange={(level) => change({ level })}
            />
          </div>
          <p role="status" className="sr-only">
            {formatNumber(shown.length)} of {formatNumber(permissions.length)} permissions
          </p>
          {shown.length === 0 ? (
            <div className="p-4">
              <EmptyState
                title="No permission meets the filters"
                action={<Button onClick={() => setFilter(everything)}>Clear filters</Button>}
              />
            </div>
          ) : (
            <PermissionTable permissions={shown} />
          )}
        </>
      )}
    </Section>
  );
}

function PermissionTable({ permissions }: Readonly<{ permissions: ApplicationJson["permissions"] }>) {
  return (
    <div className="max-h-112 overflow-y-auto" tabIndex={0} role="region" aria-label="Permissions, to be scrolled">
      <table className="w-full text-left text-table">
        <thead className="sticky top-0 bg-surface text-xs text-muted">
          <tr>
            <th scope="col" className="border-b border-line px-4 py-1.5 font-medium">
              Permission
            </th>
            <th scope="col" className="border-b border-line px-4 py-1.5 font-medium">
              Type
            </th>
            <th scope="col" className="border-b border-line px-4 py-1.5 font-medium">
              HMI level
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {permissions.map(({ key, type, hmi_level }) => (
            <tr key={key}>
              <th scope="row" className="px-4 py-1.5 font-mono text-xs font-normal break-all">
                {key}
              </th>
              <td className="px-4 py-1.5">{type === null ? <Chip tone="warn">Unknown</Chip> : typeNames[type]}</td>
              <td className="px-4 py-1.5">
                {hmi_level?.replace("HMI_", "") ?? <span className="text-muted">none</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
