import { ChevronRight, CircleCheck, FlaskConical, Trash2, Undo2 } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { useState } from "react";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/author";
import { VersionDiff } from "@/app/_releases/history/version-diff";
import type { ItemVersionJson } from "@/lib/content/releases/answer-schema";
import type { ItemKey } from "@/lib/labels/release-items";
import { useRouter } from "next/navigation";
import { showDone, showProblem } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { Button } from "@/app/_components/ui/button";
import { historyPath } from "@/app/_releases/history/history-data";
import { reviewPath } from "@/app/_releases/item-address";

/** One version in a history: in a sentence what it changed, and in full once it is opened. */
export function VersionRow({
  item,
  version,
  versions,
  before,
  canRestore,
}: Readonly<{
  item: ItemKey;
  version: ItemVersionJson;
  versions: readonly ItemVersionJson[];
  /** The version before it; null: there is none, or it is not known yet. */
  before: ItemVersionJson | null;
  canRestore: boolean;
}>) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, status, release, author, at, is_deleted: isDeleted, summary } = version;
  return (
    <li>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
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

/** Stores an old version again as the newest of staging, and leads to its review. */
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
