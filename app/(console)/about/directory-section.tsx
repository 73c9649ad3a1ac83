"use client";
import { RefreshCw } from "lucide-react";
import useSWR from "swr";
import { Button } from "@/app/_components/ui/button";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { get } from "@/lib/platform/http/client";
import type { About } from "@/lib/console/about/facts";
import { QueueLine } from "./queue-line";
import { TaskTable } from "./task-table";

type Directory = About["directory"];

const whileRunning = 1_000;
const whileIdle = 30_000;

const modes = {
  shaid: "Apps come from the app directory.",
  example: "Apps are made up by the example directory. Set SHAID_PUBLIC_KEY and SHAID_SECRET_KEY to get real ones.",
  off: "No app directory is configured: apps do not change, and webhooks are refused.",
} as const;

/** How far this server is in step with the app directory; looks again by itself, more often while something runs. */
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
