import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import useSWR from "swr";
import { Button } from "@/app/_components/ui/button";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import type { ComboboxOption } from "@/app/_components/fields/combobox";
import { Dialog } from "@/app/_components/overlay/dialog";
import type { OpenState } from "@/app/_components/overlay/opener";
import { changeAddress } from "@/app/_components/list/list-address";
import { Problem } from "@/app/_components/feedback/problem";
import { SelectField } from "@/app/_components/fields/select-field";
import type { FilterChoicesAnswer } from "@/lib/apps/applications/answer-schema";
import { type FilterChoices, filterLabels, moreFilters, moreMenus } from "./filter-labels";

type Chosen = Readonly<Record<string, string | null>>;

/** On phones also the filters whose menus are beside the search elsewhere. */
export function MoreFiltersDialog({
  menus,
  open,
  onOpenChange,
}: Readonly<OpenState & { menus: readonly FilterChoices[] }>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const names = [...moreFilters, ...menus.map(({ parameter }) => parameter)];
  const readChosen = (from: Pick<URLSearchParams, "get">): Chosen =>
    Object.fromEntries(names.map((name) => [name, from.get(name)]));
  const [chosen, setChosen] = useState(() => readChosen(query));
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    // Starts from the active filters and drops choices that were never applied.
    if (open) setChosen(readChosen(query));
  }
  const { data, error } = useSWR<FilterChoicesAnswer, Error>("/api/v1/ui/applications/choices");
  const set = (name: string) => (value: string | null) => {
    setChosen((before) => ({ ...before, [name]: value === "" ? null : value }));
  };
  const comboboxes = [
    {
      name: "perm",
      label: "Requested permission",
      options: data?.permissions.map(({ name, type }) => ({
        value: name,
        label: name,
        hint: type === "RPC" ? "RPC" : "Vehicle data",
      })),
    },
    {
      name: "service",
      label: "Service type",
      options: data?.services.map(({ name, display_name }) => ({ value: name, label: display_name, hint: name })),
    },
    {
      name: "country",
      label: "Country",
      options: data?.countries.map(({ iso, name }) => ({ value: iso, label: name, hint: iso })),
    },
  ] as const;

  const select = (label: string, name: string, choices: FilterChoices["choices"]) => (
    <SelectField
      key={name}
      label={label}
      value={chosen[name] ?? ""}
      onChange={set(name)}
      options={[{ value: "", label: "Any" }, ...withChosen(choices, chosen[name] ?? null)]}
    />
  );

  function apply() {
    onOpenChange(false);
    router.push(changeAddress(pathname, query, chosen), { scroll: false });
  }

  return (
    <Dialog
      title="Filters"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button
            variant="ghost"
            className="mr-auto"
            disabled={names.every((name) => chosen[name] === null)}
            onClick={() => setChosen(readChosen(new URLSearchParams()))}
          >
            Clear these
          </Button>
          <Button variant="primary" onClick={apply}>
            Show apps
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {menus.map(({ label, parameter, choices }) => (
          <div key={parameter} className="sm:hidden">
            {select(label, parameter, choices)}
          </div>
        ))}
        {comboboxes.map(({ name, label, options }) => (
          <ComboboxField
            key={`${name}:${options === undefined ? "" : "here"}`}
            label={label}
            value={chosen[name] ?? null}
            onChange={set(name)}
            options={withChosen(options ?? [], chosen[name] ?? null)}
            placeholder="Any"
            emptyText={options === undefined && !error ? "Loading…" : "Nothing found"}
          />
        ))}
        {moreMenus.map(({ parameter, choices }) => select(filterLabels[parameter], parameter, choices))}
      </div>
      {error && (
        <div className="mt-4">
          <Problem error={error} />
        </div>
      )}
    </Dialog>
  );
}

/** The current value stays a choice even if nobody offers it any more. */
function withChosen(options: readonly ComboboxOption[], value: string | null): readonly ComboboxOption[] {
  if (value === null || options.some((option) => option.value === value)) return options;
  return [{ value, label: value }, ...options];
}
