import Form from "next/form";
import { Fragment, type ReactNode } from "react";
import { inputClass } from "@/app/_components/fields/input-class";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { namesOf } from "@/lib/vocabulary/members";
import { itemFamilies, releaseItems } from "@/lib/vocabulary/release-items";
import { environments } from "@/lib/vocabulary/terms";
import { type AuditFamily, auditFamilies } from "@/lib/platform/audit/schema";
import { eventKinds } from "./event-kinds";

export type ActivityFilters = Readonly<Record<string, string>>;

export interface Suggestions {
  readonly people: readonly string[];
  readonly items: readonly string[];
}

const familyLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(itemFamilies.map((family) => [family, releaseItems[family].heading])),
  app: "Applications",
  release: "Releases and approvals",
  access: "Sign-ins and tokens",
} satisfies Partial<Record<AuditFamily, string>>;

const environmentLabels = { staging: "Staging", production: "Production" } as const;

/** A plain GET form: it works without scripts, and its address can be shared. */
export function FilterForm({ filters, people, items }: Readonly<Suggestions & { filters: ActivityFilters }>) {
  const text = (name: string) => ({ name, defaultValue: filters[name] ?? "", className: inputClass });
  const day = (name: string) => ({ ...text(name), type: "date", defaultValue: filters[name]?.slice(0, 10) ?? "" });
  const { action = "" } = filters;
  const isArea = action !== "" && Object.values(eventKinds).every((kinds) => kinds[action] === undefined);
  return (
    <Form action="/activity" className="mb-4 grid items-end gap-3 grid-cols-2 lg:grid-cols-4">
      {/* Fields keep what was typed: those of another address are others. */}
      <Fragment key={JSON.stringify(filters)}>
        <Labelled label="Person">
          <input {...text("person")} list="activity-people" />
        </Labelled>
        <Labelled label="Item">
          <input {...text("item")} list="activity-items" />
        </Labelled>
        <Labelled label="About">
          <select {...text("family")}>
            <option value="">Everything</option>
            {namesOf(auditFamilies).map((family) => (
              <option key={family} value={family}>
                {familyLabels[family] ?? family}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Kind">
          <select {...text("action")}>
            <option value="">All kinds</option>
            {isArea && <option value={action}>{action}</option>}
            {Object.entries(eventKinds).map(([area, kinds]) => (
              <optgroup key={area} label={area}>
                {Object.entries(kinds).map(([action, verb]) => (
                  <option key={action} value={action}>
                    {`${area}: ${verb.replace(/ (?:about|for|from|in|of|on|to)$/, "")}`}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </Labelled>
        <Labelled label="From day (UTC)">
          <input {...day("from")} />
        </Labelled>
        <Labelled label="To day (UTC)">
          <input {...day("to")} />
        </Labelled>
        <Labelled label="Environment">
          <select {...text("environment")}>
            <option value="">Any</option>
            {environments.map((name) => (
              <option key={name} value={name}>
                {environmentLabels[name]}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Release">
          <input {...text("release")} inputMode="numeric" />
        </Labelled>
      </Fragment>
      <div className="col-span-full flex gap-2">
        <Button type="submit" variant="primary">
          Filter
        </Button>
        <LinkButton href="/activity">Show all</LinkButton>
      </div>
      <Options id="activity-people" values={people} />
      <Options id="activity-items" values={items} />
    </Form>
  );
}

function Labelled({ label, children }: Readonly<{ label: string; children: ReactNode }>) {
  return (
    <label className="min-w-0 space-y-1 text-table">
      <span>{label}</span>
      {children}
    </label>
  );
}

function Options({ id, values }: Readonly<{ id: string; values: readonly string[] }>) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
