import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { About } from "@/lib/console/about/facts";

type Queue = NonNullable<About["directory"]["queues"]>["applications"];

export function QueueLine({
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
