import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, useState } from "react";
import useSWR from "swr";
import { Problem } from "@/app/_components/feedback/problem";
import { backdropClass } from "@/app/_components/overlay/dialog-class";
import { useFocusAtOnce } from "@/app/_components/overlay/on-demand";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { type ReviewJson, reviewAnswer } from "@/lib/apps/applications/console/effect-schema";
import { plural } from "@/lib/vocabulary/format-number";
import { get } from "@/lib/platform/http/client";
import { DecisionProvider } from "../../decision-provider";
import { type Reviewed, setBulkStep, useBulkStep } from "../bulk/bulk-store";
import { Key, usePanelKeys } from "./panel-keys";
import { ReviewActions } from "./review-actions";
import { ReviewContent } from "./review-content";

export interface QueuedApp {
  readonly id: number;
  readonly name: string;
}

const pathOf = ({ id }: QueuedApp) => `/api/v1/ui/applications/review?id=${id}`;
const load = async (path: string) => reviewAnswer.parse(await get(path));

/**
 * Reviews apps by keyboard (rule L32). Approvals are confirmed together, with their combined effect; others one by one.
 */
export function ReviewPanel({
  apps,
  start,
  onClose,
}: Readonly<{ apps: readonly QueuedApp[]; start: number; onClose: () => void }>) {
  const [at, setAt] = useState(start);
  const [approved, setApproved] = useState<ReadonlyMap<string, Reviewed>>(new Map());
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set());
  const popup = useRef<HTMLDivElement>(null);
  // Hidden while the dialog confirms the approvals.
  const isAsking = useBulkStep() !== null;
  const app = apps[at];

  function finish(all = approved) {
    if (all.size === 0) onClose();
    else {
      const choice = { uuids: [...all.keys()] };
      setBulkStep({ kind: "ask", decision: "accept", choice, reason: "", reviewed: all, onSent: onClose });
    }
  }
  /** After the last app, goes to the confirmation. */
  function goOn(all: ReadonlyMap<string, Reviewed>, done: ReadonlySet<number>) {
    const marked = new Set([...all.values()].map(({ id }) => id));
    const open = apps.flatMap(({ id }, place) => (marked.has(id) || done.has(id) ? [] : place));
    const next = open.find((place) => place > at) ?? open[0];
    if (next === undefined) finish(all);
    else setAt(next);
  }
  function approve({ application }: ReviewJson) {
    const { id, uuid, approval_status, is_blacklisted, denial_message } = application;
    const all = new Map(approved).set(uuid, { id, seen: { approval_status, is_blacklisted, denial_message } });
    setApproved(all);
    goOn(all, decided);
  }
  function decide(id: number) {
    const done = new Set(decided).add(id);
    setDecided(done);
    goOn(approved, done);
  }

  if (app === undefined) return null;
  return (
    <Dialog.Root open={!isAsking} onOpenChange={() => finish()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          data-review=""
          className="fixed inset-y-0 right-0 z-40 flex w-full max-w-xl flex-col border-l border-line bg-raised text-text shadow-dialog outline-none transition-transform duration-150 data-ending-style:translate-x-full data-starting-style:translate-x-full"
        >
          <header className="flex items-start gap-2 border-b border-line px-5 py-3">
            <div className="min-w-0 grow">
              <p role="status" className="text-xs text-muted tabular-nums">
                {`${at + 1} of ${apps.length}`}
                {approved.size > 0 && ` · ${plural(approved.size, "approval")} to send`}
              </p>
              <Dialog.Title className="truncate text-base leading-6 font-semibold">{app.name}</Dialog.Title>
            </div>
            <Dialog.Close render={<IconButton icon={X} label="Close" size="icon-sm" className="-mr-1.5" />} />
          </header>
          <QueuedReview
            key={app.id}
            app={app}
            next={apps[at + 1]}
            approved={approved}
            isDecided={decided.has(app.id)}
            onApprove={approve}
            onTakeBack={(uuid) => setApproved(new Map([...approved].filter(([one]) => one !== uuid)))}
            onDecided={() => decide(app.id)}
          />
          <Steps focus={() => popup.current} at={at} count={apps.length} onMove={setAt}>
            {approved.size > 0 && (
              <>
                <Button size="sm" variant="ghost" className="ml-auto" onClick={onClose}>
                  Discard approvals
                </Button>
                <Button size="sm" variant="primary" needsServer needs="publish" onClick={() => finish()}>
                  {`Approve ${plural(approved.size, "app")}…`}
                </Button>
              </>
            )}
          </Steps>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Nothing can be decided until it has loaded. */
function QueuedReview({
  app,
  next,
  approved,
  isDecided,
  onApprove,
  onTakeBack,
  onDecided,
}: Readonly<{
  app: QueuedApp;
  next: QueuedApp | undefined;
  approved: ReadonlyMap<string, Reviewed>;
  isDecided: boolean;
  onApprove: (review: ReviewJson) => void;
  onTakeBack: (uuid: string) => void;
  onDecided: () => void;
}>) {
  const { data, error } = useSWR<ReviewJson, unknown>(pathOf(app), load, { keepPreviousData: false });
  // Preloads the next app.
  useSWR<ReviewJson, unknown>(data !== undefined && next !== undefined ? pathOf(next) : null, load);
  if (data === undefined) {
    return (
      <div className="grow px-5 py-4">
        {error === undefined ? <Skeleton className="h-40" /> : <Problem error={error} />}
      </div>
    );
  }
  const { application, versions } = data;
  const detail = {
    app: application,
    state: application.is_blacklisted ? ("BLOCKED" as const) : application.approval_status,
    versions: versions.map(({ id, label, version_id, developer_version, approval_status }) => ({
      ...{ id, label, versionId: version_id, developerVersion: developer_version, approvalStatus: approval_status },
    })),
  };
  return (
    <DecisionProvider detail={detail} onDecided={onDecided}>
      <ReviewContent review={data} />
      <ReviewActions
        isApproved={approved.has(application.uuid)}
        isDecided={isDecided}
        onApprove={() => onApprove(data)}
        onTakeBack={() => onTakeBack(application.uuid)}
      />
    </DecisionProvider>
  );
}

function Steps({
  focus,
  at,
  count,
  onMove,
  children,
}: Readonly<{
  focus: () => HTMLElement | null;
  at: number;
  count: number;
  onMove: (at: number) => void;
  children: React.ReactNode;
}>) {
  useFocusAtOnce(focus);
  const [previous, next] = [() => at > 0 && onMove(at - 1), () => at < count - 1 && onMove(at + 1)];
  usePanelKeys({ j: next, k: previous });
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-page px-5 py-3">
      <Button size="sm" disabled={at === 0} onClick={previous}>
        Previous <Key name="k" />
      </Button>
      <Button size="sm" disabled={at === count - 1} onClick={next}>
        Next <Key name="j" />
      </Button>
      {children}
    </footer>
  );
}
