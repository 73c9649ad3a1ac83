import { Search, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Field } from "@/app/_components/fields/field";
import { useSearchKey } from "@/app/_components/hooks/use-search-key";
import { PlainInput } from "@/app/_components/fields/plain-input";
import { InputOnDemand } from "@/app/_components/fields/input-on-demand";
import { onDemand } from "@/app/_components/overlay/on-demand";
import type { AppSearchProps } from "./app-search";
import type { ChosenApp } from "./sources";

const placeholder = "Name, vendor, UUID or short id";

const useAppSearch = onDemand(() => import("./app-search").then((m) => m.AppSearch));

export function AppsField({
  label,
  hint,
  apps,
  onChange,
  actions,
}: Readonly<{
  label: string;
  hint: string;
  apps: readonly ChosenApp[];
  onChange: (apps: readonly ChosenApp[]) => void;
  actions: ReactNode;
}>) {
  const box = useRef<HTMLDivElement>(null);
  useSearchKey(() => box.current?.querySelector("input"));
  return (
    <div ref={box} className="space-y-2">
      <div className="grid gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
        <Field label={label} hint={apps.length === 0 ? hint : undefined}>
          <InputOnDemand<AppSearchProps>
            useCode={useAppSearch}
            plain={<PlainInput icon={Search} placeholder={placeholder} />}
            props={{ chosen: apps, onChange, placeholder }}
          />
        </Field>
        <div className="sm:pt-6.5">{actions}</div>
      </div>
      {apps.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {apps.map(({ uuid, name }) => (
            <li
              key={uuid}
              className="flex max-w-full items-center gap-0.5 rounded-control border border-line bg-hover pl-2 text-table"
            >
              <span className="truncate" title={uuid}>
                {name}
              </span>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(apps.filter((app) => app.uuid !== uuid))}
                className="grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-active hover:text-text pointer-coarse:size-11"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
