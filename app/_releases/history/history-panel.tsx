"use client";
import { useState } from "react";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { Button } from "@/app/_components/ui/button";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { historyPagePath } from "@/app/_releases/history/history-data";
import { VersionRow } from "@/app/_releases/history/version-row";
import type { HistoryAnswer, ItemVersionJson } from "@/lib/content/releases/answer-schema";
import type { ItemKey } from "@/lib/labels/release-items";

/** All stored versions of an item, newest first: what changed in each, any two compared, an old one brought back (L13). */
export function HistoryPanel({ item, canRestore }: Readonly<{ item: ItemKey; canRestore: boolean }>) {
  const [older, setOlder] = useState<{ versions: readonly ItemVersionJson[]; next: number | null } | null>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const newest = useSWR<HistoryAnswer, unknown>(historyPagePath(item, null), { keepPreviousData: false });
  const more = useSWR<HistoryAnswer, unknown>(wanted === null ? null : historyPagePath(item, wanted), {
    onSuccess: ({ versions, next_cursor: next }) => {
      setOlder((before) => ({ versions: [...(before?.versions ?? []), ...versions], next }));
      setWanted(null);
    },
  });
  if (newest.error !== undefined) return <ErrorPanel error={newest.error} onRetry={() => void newest.mutate()} />;
  if (newest.data === undefined) {
    return (
      <div aria-busy="true" className="space-y-3 p-4">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    );
  }
  const versions = [...newest.data.versions, ...(older?.versions ?? [])];
  const next = older === null ? newest.data.next_cursor : older.next;
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
      {next !== null && (
        <div className="border-t border-line px-4 py-2">
          <Button
            size="sm"
            busy={more.isLoading}
            onClick={() => {
              setWanted(next);
            }}
          >
            Older versions
          </Button>
        </div>
      )}
    </>
  );
}
