import Form from "next/form";
import { inputClass } from "@/app/_components/fields/input-class";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { auditFamilies } from "@/lib/platform/audit/vocabulary";
import { namesOf } from "@/lib/labels/members";
import { environments } from "@/lib/labels/vocabulary";

export type ActivityFilters = Readonly<Record<string, string>>;

const texts = [
  ["person", "Person"],
  ["item", "Item"],
  ["action", "Action, e.g. groups.promote"],
  ["release", "Release"],
  ["from", "From, e.g. 2026-03-01T06:00:00Z"],
  ["to", "Before"],
] as const;
const choices = [
  ["family", "Family", namesOf(auditFamilies)],
  ["environment", "Environment", environments],
] as const;

/** A form of its own address: it works before any script does, and the address can be passed on. */
export function FilterForm({ filters }: Readonly<{ filters: ActivityFilters }>) {
  return (
    <Form action="/activity" className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {texts.map(([name, label]) => (
        <label key={name} className="space-y-1 text-table">
          <span>{label}</span>
          <input name={name} defaultValue={filters[name] ?? ""} className={inputClass} />
        </label>
      ))}
      {choices.map(([name, label, options]) => (
        <label key={name} className="space-y-1 text-table">
          <span>{label}</span>
          <select name={name} defaultValue={filters[name] ?? ""} className={inputClass}>
            <option value="">All</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {option.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </label>
      ))}
      <div className="flex gap-2">
        <Button type="submit" variant="primary">
          Filter
        </Button>
        <LinkButton href="/activity">Show all</LinkButton>
      </div>
    </Form>
  );
}
