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
import { filterLabels, moreFilters, moreMenus, type MoreFilter } from "./filter-labels";

type Chosen = Readonly<Record<MoreFilter, string | null>>;

export function MoreFiltersDialog({ open, onOpenChange }: Readonly<OpenState>) {
  const router = useRouter();
  const pathname = usePathname();
  const query = useSearchParams();
  const [chosen, setChosen] = useState<Chosen>(() => readChosen(query));
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    // Starts from the active filters and drops choices that were never applied.
    if (open) setChosen(readChosen(query));
  }
  const { data, error } = useSWR<FilterChoicesAnswer, Error>("/api/v1/ui/applications/choices");
  const set = (name: MoreFilter) => (value: string | null) => {
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

  function apply() {
    onOpenChange(false);
    router.push(changeAddress(pathname, query, chosen), { scroll: false });
  }

  return (
    <Dialog
      title="More filters"
      open={open}
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button
            variant="ghost"
            className="mr-auto"
            disabled={moreFilters.every((name) => chosen[name] === null)}
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
        {comboboxes.map(({ name, label, options }) => (
          <ComboboxField
            key={`${name}:${options === undefined ? "" : "here"}`}
            label={label}
            value={chosen[name]}
            onChange={set(name)}
            options={withChosen(options ?? [], chosen[name])}
            placeholder="Any"
            emptyText={options === undefined && !error ? "Loading…" : "Nothing found"}
          />
        ))}
        {moreMenus.map(({ parameter, choices }) => (
          <SelectField
            key={parameter}
            label={filterLabels[parameter]}
            value={chosen[parameter] ?? ""}
            onChange={set(parameter)}
            options={[{ value: "", label: "Any" }, ...withChosen(choices, chosen[parameter])]}
          />
        ))}
      </div>
      {error && (
        <div className="mt-4">
          <Problem error={error} />
        </div>
      )}
    </Dialog>
  );
}

const readChosen = (query: Pick<URLSearchParams, "get">) =>
  Object.fromEntries(moreFilters.map((name) => [name, query.get(name)])) as Chosen;

/** The current value stays a choice even if nobody offers it any more. */
function withChosen(options: readonly ComboboxOption[], value: string | null): readonly ComboboxOption[] {
  if (value === null || options.some((option) => option.value === value)) return options;
  return [{ value, label: value }, ...options];
}
