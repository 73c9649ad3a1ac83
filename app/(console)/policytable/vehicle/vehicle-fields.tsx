import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import { SelectField } from "@/app/_components/fields/select-field";
import { Button } from "@/app/_components/ui/button";
import { coreChoices, oldestCore } from "@/lib/labels/head-units";
import { AppsField } from "../apps-field";
import type { SourceOption } from "../sources";
import { AcceptedApps } from "./accepted-apps";
import type { VehicleForm } from "./simulation";

const RequestField = dynamic(() => import("./request-field").then((m) => m.RequestField));

const ways = [
  { value: "apps", label: "Apps by name" },
  { value: "request", label: "A captured request" },
] as const;
const idLengths = [
  { value: "full", label: "Full ids" },
  { value: "short", label: "Short ids" },
] as const;

export function VehicleFields({
  form,
  onChange,
  sources,
  problem,
  isBusy,
  onRun,
}: Readonly<{
  form: VehicleForm;
  onChange: (change: Partial<VehicleForm>) => void;
  sources: readonly SourceOption[];
  problem: string | null;
  isBusy: boolean;
  onRun: () => void;
}>) {
  return (
    <form
      aria-label="The vehicle"
      className="space-y-4 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField label="App requests" value={form.how} options={ways} onChange={(how) => onChange({ how })} />
        <SelectField label="Answered from" value={form.of} options={sources} onChange={(of) => onChange({ of })} />
        <SelectField
          label="Head unit"
          value={form.headUnit}
          options={coreChoices}
          onChange={(headUnit) => onChange({ headUnit })}
        />
        {form.how === "apps" && form.headUnit !== oldestCore && (
          <SelectField
            label="App identifiers"
            value={form.ids}
            options={idLengths}
            onChange={(ids) => onChange({ ids })}
          />
        )}
      </div>
      {form.how === "apps" ? (
        <AppsField
          label="Apps of the vehicle"
          hint="Without apps, you see what every vehicle receives."
          apps={form.apps}
          onChange={(apps) => onChange({ apps })}
          actions={<AcceptedApps apps={form.apps} onChange={(apps) => onChange({ apps })} />}
        />
      ) : (
        <RequestField value={form.request} problem={problem} onChange={(request) => onChange({ request })} />
      )}
      <Button type="submit" variant="primary" needsServer busy={isBusy} className="max-sm:w-full">
        <Play aria-hidden="true" />
        Run
      </Button>
    </form>
  );
}
