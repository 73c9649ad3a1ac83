"use client";
import { RefreshCw, CircleCheck, Clock, TriangleAlert, CircleX, LoaderCircle } from "lucide-react";
import useSWR from "swr";
import { Button } from "@/app/_components/ui/button";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { get } from "@/lib/platform/http/client";
import type { About } from "@/app/(console)/about/facts";
import { Chip } from "@/app/_components/ui/chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { formatNumber } from "@/lib/vocabulary/format-number";

type Directory = About["directory"];

const whileRunning = 1_000;
const whileIdle = 30_000;

const modes = {
  shaid: "Apps come from the app directory.",
  example: "Apps are made up by the example directory. Set SHAID_PUBLIC_KEY and SHAID_SECRET_KEY to get real ones.",
  off: "No app directory is configured: apps do not change, and webhooks are refused.",
} as const;

/** Polls, more often while a task runs. */
export function DirectorySection({ first }: Readonly<{ first: Directory }>) {
  const { data, mutate } = useSWR<{ directory: Directory }>("/api/v1/about", (url: string) => get(url) as never, {
    fallbackData: { directory: first },
    revalidateOnMount: false,
    refreshInterval: (latest) => (isRunning(latest?.directory) ? whileRunning : whileIdle),
  });
  const directory = data?.directory ?? first;
  const sync = useAction("/api/v1/ui/sync");
  const { tasks, queues } = directory;

  async function start() {
    if (!(await sync.tryRun())) return;
    showDone("Reading apps and lists from the app directory");
    await mutate();
  }

  return (
    <Section
      id="directory"
      level={3}
      title="App directory"
      description={modes[directory.mode]}
      flush
      actions={
        directory.mode !== "off" && (
          <Button
            size="sm"
            needsServer
            needs="edit"
            busy={sync.isRunning || isRunning(directory)}
            onClick={() => void start()}
          >
            <RefreshCw aria-hidden="true" />
            Sync now
          </Button>
        )
      }
    >
      {tasks === null ? (
        <div className="p-4">
          <Notice>The database cannot be reached, so the last results of the tasks are not known.</Notice>
        </div>
      ) : (
        <TaskTable tasks={tasks} unreadable={queues?.applications.failing ?? 0} />
      )}
      {queues && (
        <div className="divide-y divide-line border-t border-line">
          <QueueLine
            name="Apps to read again"
            empty="None. Every announced app has been read."
            failing="have a record that cannot be used"
            queue={queues.applications}
          />
          <QueueLine
            name="Decisions to report"
            empty="None. The directory knows every decision."
            failing="could not be sent so far"
            queue={queues.feedback}
          />
        </div>
      )}
    </Section>
  );
}

function isRunning(directory: Directory | undefined): boolean {
  return directory?.tasks?.some(({ state }) => state === "running") ?? false;
}

type Queue = NonNullable<About["directory"]["queues"]>["applications"];

function QueueLine({
  name,
  empty,
  failing,
  queue,
}: Readonly<{ name: string; empty: string; failing: string; queue: Queue }>) {
  const { waiting, failing: stuck, next_due_ts: due, last_error: error } = queue;
  return (
    <div className="px-4 py-2.5 text-table">
      <p className="flex items-center justify-between gap-4">
        <span className="font-medium">{name}</span>
        {stuck > 0 ? (
          <Chip tone="warn" icon={TriangleAlert}>{`${waiting} waiting`}</Chip>
        ) : waiting > 0 ? (
          <Chip icon={Clock}>{`${waiting} waiting`}</Chip>
        ) : (
          <Chip tone="good" icon={CircleCheck}>
            Empty
          </Chip>
        )}
      </p>
      <p className="text-muted">
        {waiting === 0 && empty}
        {stuck > 0 && `${stuck} ${failing}. `}
        {due !== null && (
          <>
            Next attempt: <TimeAgo at={due} />.
          </>
        )}
      </p>
      {error !== null && <p className="break-words text-warn">{error}</p>}
    </div>
  );
}

type Task = NonNullable<About["directory"]["tasks"]>[number];

const names: Readonly<Record<Task["name"], string>> = {
  permissions: "Permissions",
  "service-types": "Service types",
  categories: "Categories",
  languages: "Languages",
  "rpc-specification": "RPC specification",
  applications: "Apps",
  "app-certificates": "App certificates",
  "module-certificate": "Head unit certificate",
  retention: "Cleanup of old records",
  backup: "Backup",
  "restore-drill": "Restore drill",
};

const states = {
  waiting: { tone: "calm", icon: Clock, word: "Waiting" },
  running: { tone: "accent", icon: LoaderCircle, word: "Running" },
  succeeded: { tone: "good", icon: CircleCheck, word: "Done" },
  failed: { tone: "bad", icon: CircleX, word: "Failed" },
} as const;

const partial = { tone: "warn", icon: TriangleAlert, word: "Partly done" } as const;

function TaskTable({
  tasks,
  unreadable,
}: Readonly<{
  tasks: readonly Task[];
  /** Apps with unusable records; the task is not complete while there are any. */
  unreadable: number;
}>) {
  return (
    <ul className="divide-y divide-line text-table">
      {tasks.map((task) => {
        const isPartial = task.name === "applications" && task.state === "succeeded" && unreadable > 0;
        const { tone, icon, word } = isPartial ? partial : states[task.state];
        return (
          <li key={task.name} className="px-4 py-2">
            <div className="flex items-center justify-between gap-4">
              <span className="font-medium">{names[task.name]}</span>
              <Chip tone={tone} icon={icon}>
                {word}
              </Chip>
            </div>
            {task.state === "running" ? <Running task={task} /> : <Ended task={task} />}
            {isPartial && (
              <p className="text-warn">
                {unreadable === 1 ? "1 app has" : `${unreadable.toLocaleString("en")} apps have`} a record that cannot
                be used and was left unchanged. See below.
              </p>
            )}
            {task.last_error !== null && <p className="break-words text-bad">{task.last_error}</p>}
          </li>
        );
      })}
    </ul>
  );
}

function Running({ task: { name, phase, done, total } }: Readonly<{ task: Task }>) {
  const figures = total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`;
  return (
    <div className="space-y-1 text-muted tabular-nums">
      <p>
        {phase ?? "starting"}
        {done > 0 && `, ${figures}`}
      </p>
      {total !== null && total > 0 && (
        <progress
          aria-label={`Progress of ${names[name]}`}
          value={Math.min(done, total)}
          max={total}
          className="block h-1 w-full appearance-none overflow-hidden rounded-full bg-active [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-active [&::-webkit-progress-value]:bg-accent"
        />
      )}
    </div>
  );
}

function Ended({ task: { succeeded_ts: succeeded, next_run_ts: next } }: Readonly<{ task: Task }>) {
  return (
    <p className="text-muted">
      {succeeded === null ? (
        "Has not run yet"
      ) : (
        <>
          Last run <TimeAgo at={succeeded} />
        </>
      )}
      {next !== null && (
        <>
          , next <TimeAgo at={next} />
        </>
      )}
    </p>
  );
}
