"use client";
import { ArrowLeftRight } from "lucide-react";
import { useNavigate } from "@/app/_components/hooks/use-navigate";
import { SelectField } from "@/app/_components/fields/select-field";
import { Button } from "@/app/_components/ui/button";
import type { TableSource } from "@/lib/console/policy-table-query";
import { AppsField } from "../apps-field";
import { addressOfComparison, type ChosenApp, type SourceOption } from "../sources";

/** Selects the tables and apps to compare; each choice has its own address. */
export function CompareForm({
  from,
  to,
  apps,
  sources,
}: Readonly<{
  from: TableSource;
  to: TableSource;
  apps: readonly ChosenApp[];
  sources: readonly SourceOption[];
}>) {
  const navigate = useNavigate();
  const go = (change: { from?: TableSource; to?: TableSource; apps?: readonly ChosenApp[] }) => {
    const next = { from, to, apps, ...change };
    navigate(
      addressOfComparison(
        next.from,
        next.to,
        next.apps.map(({ uuid }) => uuid),
      ),
    );
  };
  return (
    <section
      aria-label="Comparison"
      className="mb-4 grid gap-4 rounded-card border border-line bg-surface p-4 lg:grid-cols-2"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-2 self-start">
        <SelectField label="From" value={from} options={sources} onChange={(next) => go({ from: next })} />
        <Button
          size="icon"
          variant="ghost"
          aria-label="Swap the two tables"
          title="Swap the two tables"
          onClick={() => go({ from: to, to: from })}
        >
          <ArrowLeftRight aria-hidden="true" />
        </Button>
        <SelectField label="To" value={to} options={sources} onChange={(next) => go({ to: next })} />
      </div>
      <AppsField
        label="App entries"
        hint="Show the entries of these apps side by side."
        apps={apps}
        onChange={(next) => go({ apps: next })}
      />
    </section>
  );
}
