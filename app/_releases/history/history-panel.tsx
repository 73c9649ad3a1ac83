import useSWRInfinite from "swr/infinite";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { Button } from "@/app/_components/ui/button";
import { Skeleton } from "@/app/_components/ui/skeleton";
import type { FieldChangeJson, HistoryAnswer, ItemVersionJson } from "@/lib/releases/answer-schema";
import { type ItemKey, itemPath } from "@/lib/vocabulary/release-items";
import { ChevronRight, CircleCheck, FlaskConical, Trash2, Undo2 } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { useState } from "react";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "../labels";
import { useRouter } from "next/navigation";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { reviewPath } from "../item-address";
import useSWR from "swr";
import { Problem } from "@/app/_components/feedback/problem";
import { SelectField } from "@/app/_components/fields/select-field";
import { formatMoment } from "@/app/_components/ui/moment";
import { FieldDiff } from "../field-diff";

/** All stored versions of an item, newest first: the change in each, a comparison of any two, and restore (L13). */
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

interface ShownVersion {
  readonly item: ItemKey;
  readonly version: ItemVersionJson;
  readonly versions: readonly ItemVersionJson[];
  /** The previous version; null: none, or not loaded yet. */
  readonly before: ItemVersionJson | null;
}

/** One version in a history: a summary of its change, and the details once opened. */
function VersionRow({ item, version, versions, before, canRestore }: Readonly<ShownVersion & { canRestore: boolean }>) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, status, release, author, at, is_deleted: isDeleted, summary } = version;
  return (
    <li>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 grow basis-64 items-start gap-2 text-left"
        >
          <ChevronRight aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0 text-muted", isOpen && "rotate-90")} />
          <span className="min-w-0">
            <span className="font-medium wrap-anywhere">{summary}</span>{" "}
            <span className="block text-xs text-muted tabular-nums">version {id}</span>
          </span>
        </button>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted max-sm:pl-6">
          {isDeleted && (
            <Chip tone="bad" icon={Trash2}>
              Deleted
            </Chip>
          )}
          {release !== null ? (
            <Link href={`/releases/${release}`}>Release #{release}</Link>
          ) : (
            <Chip tone="plain" icon={status === "PRODUCTION" ? CircleCheck : FlaskConical}>
              {status === "PRODUCTION" ? "Production" : "Staging"}
            </Chip>
          )}
          <span>
            <Author author={author} />, <TimeAgo at={at} />
          </span>
          {canRestore && <RestoreButton item={item} id={id} />}
        </div>
      </div>
      {isOpen && <VersionDiff item={item} version={version} versions={versions} before={before} />}
    </li>
  );
}

/** Saves an old version as the latest one in staging, and opens its review. */
function RestoreButton({ item, id }: Readonly<{ item: ItemKey; id: number }>) {
  const router = useRouter();
  const restore = useAction(`${historyPath(item)}/restore`);
  async function run() {
    try {
      await restore.run({ id });
      showDone(`Version ${id} is back in staging`);
      router.push(reviewPath([{ item }]));
    } catch (error) {
      showProblem(error);
    }
  }
  return (
    <Button
      size="sm"
      needsServer
      needs="edit"
      busy={restore.isRunning}
      aria-label={`Restore version ${id}`}
      onClick={() => void run()}
    >
      <Undo2 aria-hidden="true" />
      Restore
    </Button>
  );
}

/** A version compared with the previous one, or with any other. */
function VersionDiff({ item, version, versions, before }: Readonly<ShownVersion>) {
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

function historyPath(item: ItemKey): string {
  return `/api/v1/history/${itemPath(item)}`;
}

/** A page of the history; null: the newest. */
function historyPagePath(item: ItemKey, cursor: number | null): string {
  return `${historyPath(item)}?limit=20${cursor === null ? "" : `&cursor=${cursor}`}`;
}
