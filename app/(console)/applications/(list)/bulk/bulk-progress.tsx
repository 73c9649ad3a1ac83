import { formatNumber } from "@/lib/labels/format-number";

export function BulkProgress({ done, total }: Readonly<{ done: number; total: number }>) {
  return (
    <div role="status" className="space-y-1.5 text-table">
      <p>{`${formatNumber(done)} of ${formatNumber(total)} done`}</p>
      <progress aria-label="Progress" value={done} max={total} className="h-2 w-full accent-accent" />
    </div>
  );
}
