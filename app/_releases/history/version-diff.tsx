import { useState } from "react";
import useSWR from "swr";
import { Problem } from "@/app/_components/feedback/problem";
import { SelectField } from "@/app/_components/fields/select-field";
import { formatMoment } from "@/app/_components/ui/moment";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { FieldDiff } from "@/app/_releases/field-diff";
import { historyPath } from "@/app/_releases/history/history-data";
import type { FieldChangeJson, ItemVersionJson } from "@/lib/content/releases/answer-schema";
import type { ItemKey } from "@/lib/labels/release-items";

/** A version compared with the one before it, or with any other. */
export function VersionDiff({
  item,
  version,
  versions,
  before,
}: Readonly<{
  item: ItemKey;
  version: ItemVersionJson;
  versions: readonly ItemVersionJson[];
  before: ItemVersionJson | null;
}>) {
  const others = versions.filter(({ id }) => id !== version.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const from = chosen ?? (before === null ? null : String(before.id));
  const path = from === null ? null : `${historyPath(item)}/diff?from=${from}&to=${version.id}`;
  const { data, error } = useSWR<{ readonly fields: readonly FieldChangeJson[] }, unknown>(path, {
    keepPreviousData: false,
  });
  return (
    <div className="border-t border-line bg-page">
      {others.length > 0 && (
        <div className="max-w-96 px-4 pt-3">
          <SelectField
            label="Compared with"
            value={from ?? ""}
            onChange={setChosen}
            options={[
              ...(from === null ? [{ value: "", label: "Choose a version" }] : []),
              ...others.map((one) => ({ value: String(one.id), label: describeVersion(one, before) })),
            ]}
          />
        </div>
      )}
      {path === null ? (
        <p className="px-4 py-3 text-muted">This is the first version.</p>
      ) : error !== undefined ? (
        <div className="p-4">
          <Problem error={error} />
        </div>
      ) : data === undefined ? (
        <Skeleton className="m-4 h-16" />
      ) : (
        <FieldDiff fields={data.fields} empty="Both versions are the same." />
      )}
    </div>
  );
}

function describeVersion({ id, at, release }: ItemVersionJson, before: ItemVersionJson | null): string {
  const where = release === null ? "" : `, release #${release}`;
  return `${id === before?.id ? "Previous: " : ""}version ${id}${where}, ${formatMoment(at, "local")}`;
}
