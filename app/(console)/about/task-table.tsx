import { CircleCheck, CircleX, Clock, LoaderCircle, TriangleAlert } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { About } from "@/lib/console/about/facts";
import { formatNumber } from "@/lib/labels/format-number";

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
};

const states = {
  waiting: { tone: "calm", icon: Clock, word: "Waiting" },
  running: { tone: "accent", icon: LoaderCircle, word: "Running" },
  succeeded: { tone: "good", icon: CircleCheck, word: "Done" },
  failed: { tone: "bad", icon: CircleX, word: "Failed" },
} as const;

const partial = { tone: "warn", icon: TriangleAlert, word: "Partly done" } as const;

/** What is done to stay in step with the app directory, how it went last, and when it is done again. */
export function TaskTable({
  tasks,
  unreadable,
}: Readonly<{
  tasks: readonly Task[];
  /** How many apps have a record that cannot be used: reading them is not done while there are any. */
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
