"use client";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import type { JsonLink } from "@/app/_components/json-viewer/json-path-bar";
import type { JsonPath } from "@/app/_components/json-viewer/json-tree";
import { JsonViewer } from "@/app/_components/json-viewer/json-viewer";
import { SkeletonCard } from "@/app/_components/ui/skeleton";
import { get } from "@/lib/platform/http/client";
import { itemAddress, itemOfTablePart, releaseItems } from "@/lib/vocabulary/release-items";
import type { Environment } from "@/lib/vocabulary/terms";

export function PolicyTable({
  environment,
  table,
  firstPath,
  firstSearch,
}: Readonly<{
  environment: Environment;
  /** Null: too long for the page. */
  table: object | null;
  firstPath: string;
  firstSearch: string;
}>) {
  const address = table === null ? `/api/v1/policy/preview?environment=${environment}` : null;
  const { data, error, mutate } = useSWR<unknown, Error>(address, get, { revalidateOnFocus: false });
  const value = table ?? (Array.isArray(data) ? (data[0] as unknown) : undefined);
  if (error !== undefined) return <ErrorPanel error={error} onRetry={() => void mutate()} />;
  if (value === undefined) {
    return (
      <div role="status" aria-label="Loading the policy table" className="animate-appear">
        <SkeletonCard rows={12} />
      </div>
    );
  }
  return (
    <div className="rounded-card border border-line bg-surface">
      <JsonViewer
        // Another section selected from the list starts afresh.
        key={firstPath}
        value={value}
        label={`Policy table of ${environment}`}
        fileName={fileName(environment)}
        firstDepth={2}
        firstPath={firstPath}
        firstSearch={firstSearch}
        isInAddress
        linkOf={(path) => linkOf(path, environment)}
        className="h-[70dvh] min-h-96"
      />
    </div>
  );
}

function fileName(environment: Environment): string {
  const time = new Date().toISOString().slice(0, 16).replace(":", "");
  return `policy-table-${environment}-${time}.json`;
}

function linkOf([, section, ...path]: JsonPath, environment: Environment): JsonLink | null {
  if (section === "vehicle_data")
    return { label: "Open vehicle data", href: `/vehicledata?environment=${environment}` };
  const item = itemOfTablePart(section, path);
  if (item === null) return null;
  const label = item.family === "group" ? "Open group" : `Open ${releaseItems[item.family].noun}`;
  return { label, href: itemAddress(item, environment) };
}
