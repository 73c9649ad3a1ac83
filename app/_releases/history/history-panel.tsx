import useSWRInfinite from "swr/infinite";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { Button } from "@/app/_components/ui/button";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { historyPagePath } from "@/app/_releases/history/history-data";
import { VersionRow } from "@/app/_releases/history/version-row";
import type { HistoryAnswer } from "@/lib/content/releases/answer-schema";
import type { ItemKey } from "@/lib/labels/release-items";

/** All stored versions of an item, newest first: what changed in each, any two compared, an old one brought back (L13). */
export function HistoryPanel({ item, canRestore }: Readonly<{ item: ItemKey; canRestore: boolean }>) {
  const { data, error, isValidating, mutate, setSize } = useSWRInfinite<HistoryAnswer, unknown>(
    (_, last: HistoryAnswer | null) =>
      last?.next_cursor === null ? null : historyPagePath(item, last?.next_cursor ?? null),
    { revalidateFirstPage: false },
  );
  if (error !== undefined) return <ErrorPanel error={error} onRetry={() => void mutate()} />;
  if (data === undefined) {
    return (
      <div aria-busy="true" className="space-y-3 p-4">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    );
  }
  const versions = data.flatMap((page) => page.versions);
  if (versions.length === 0) return <p className="px-4 py-3 text-table text-muted">Nothing is stored yet.</p>;
  return (
    <>
      <ol className="divide-y divide-line text-table">
        {versions.map((version, index) => (
          <VersionRow
            key={version.id}
            item={item}
            version={version}
            versions={versions}
            before={versions[index + 1] ?? null}
            canRestore={canRestore && index > 0 && !version.is_deleted}
          />
        ))}
      </ol>
      {data.at(-1)?.next_cursor !== null && (
        <div className="border-t border-line px-4 py-2">
          <Button size="sm" busy={isValidating} onClick={() => void setSize((size) => size + 1)}>
            Show older versions
          </Button>
        </div>
      )}
    </>
  );
}
