import type { BulkExcludedJson } from "@/lib/apps/applications/bulk/answer-schema";
import { plural } from "@/lib/labels/format-number";

/** The apps for which a decision makes no sense, each with the reason; many are folded away. */
export function ExcludedApps({ apps }: Readonly<{ apps: readonly BulkExcludedJson[] }>) {
  if (apps.length === 0) return null;
  return (
    <details open={apps.length <= 5} className="text-table">
      <summary className="min-h-6 cursor-pointer font-medium">
        {plural(apps.length, "app is left out", "apps are left out")}
      </summary>
      <ul className="mt-1 max-h-40 space-y-0.5 overflow-y-auto">
        {apps.map(({ uuid, name, reason }) => (
          <li key={uuid}>
            <span className="font-medium wrap-anywhere">{name ?? uuid}:</span>{" "}
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
