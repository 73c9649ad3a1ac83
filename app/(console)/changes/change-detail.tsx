import { Link } from "@/app/_components/ui/link";
import { useState } from "react";
import { CheckboxField } from "@/app/_components/fields/checkbox";
import { cn } from "@/app/_components/ui/cn";
import { partOnDemand } from "@/app/_components/overlay/on-demand";
import { FieldDiff } from "@/app/_releases/field-diff";
import { itemAddress } from "@/lib/labels/release-items";
import type { ChangedItemJson } from "@/lib/content/releases/answer-schema";

const JsonDiff = partOnDemand(() => import("@/app/_releases/json-diff").then((m) => m.JsonDiff), "m-4 h-40");

const views = [
  ["fields", "Changes"],
  ["table", "Policy table"],
  ["json", "JSON"],
] as const;
type View = (typeof views)[number][0];

export function ChangeDetail({
  item,
  isViewed,
  onViewed,
}: Readonly<{ item: ChangedItemJson; isViewed: boolean; onViewed: (isViewed: boolean) => void }>) {
  const [view, setView] = useState<View>("fields");
  const { title, fields, table_fields: tableFields } = item;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <div role="group" aria-label={`How the changes of ${title} are shown`} className="flex gap-1">
          {views.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className={cn(
                "h-7 rounded-control px-2 text-table font-medium pointer-coarse:h-11",
                view === name ? "bg-active text-text" : "text-muted hover:bg-hover hover:text-text",
              )}
            >
              {label}
            </button>
          ))}
        </div>
        <div className="ml-auto flex items-center gap-4">
          <Link href={itemAddress(item, "staging")} className="text-table">
            Open
            <span className="sr-only"> {title}</span>
          </Link>
          <CheckboxField label="Viewed" checked={isViewed} onChange={onViewed} />
        </div>
      </div>
      {view === "fields" && <FieldDiff fields={fields} empty="No edited field differs from production." />}
      {view === "table" && <FieldDiff fields={tableFields} empty="The policy table stays the same." />}
      {view === "json" && <JsonDiff fields={fields} label={`Changes of ${title} as JSON`} />}
    </>
  );
}
