import type { ReactNode } from "react";
import { Skeleton, SkeletonCard } from "@/app/_components/ui/skeleton";

const shapes: readonly (readonly [path: RegExp, draw: () => ReactNode])[] = [
  [/^\/functionalgroups\/manage/, () => <Editor columns="xl:grid-cols-[minmax(0,1fr)_19rem]" first={[4, 8]} />],
  [/^\/consumermessages\/manage/, () => <Editor columns="lg:grid-cols-[16rem_minmax(0,1fr)]" first={[12]} />],
  [/^\/vehicledata\/manage/, () => <Editor columns="lg:grid-cols-[minmax(17rem,2fr)_minmax(0,3fr)]" first={[10]} />],
  [/^\/moduleconfig/, () => <Editor columns="2xl:grid-cols-2" first={[5, 6]} />],
  [/^\/applications\/./, () => <Editor columns="xl:grid-cols-[minmax(0,1fr)_10rem]" first={[3, 6, 8]} />],
  [/^\/releases\/./, () => <Editor columns="2xl:grid-cols-[minmax(0,1fr)_26rem]" first={[10]} />],
  [/^\/rpcs/, () => <Columns className="xl:grid-cols-[minmax(0,1fr)_24rem]" first={[12]} second={[5, 4]} />],
  [/^\/changes/, () => <Columns className="lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]" first={[10]} second={[12]} />],
  [/^\/docs/, () => <Columns className="lg:grid-cols-[15rem_minmax(0,1fr)]" first={[14]} second={[4, 8]} />],
  [/^\/$/, () => <Columns className="lg:grid-cols-[minmax(0,1fr)_22rem]" first={[8, 4]} second={[4, 5]} />],
  [/^\/you/, () => <Columns className="xl:grid-cols-2" first={[3, 4]} second={[4, 3, 2]} />],
  [/^\/(about|access)/, () => <Columns className="xl:grid-cols-2" first={[4, 5]} second={[8]} />],
  [/^\/policytable/, () => <List hasSearch={false} />],
  [/^/, () => <List />],
];

export function PageSkeleton({ path }: Readonly<{ path: string }>) {
  const draw = shapes.find(([pattern]) => pattern.test(path))?.[1];
  return (
    <div aria-hidden="true">
      <div className="mb-5 flex items-start justify-between gap-6">
        <div className="grow space-y-2">
          <Skeleton className="h-7 w-56" />
          <Skeleton className="w-full max-w-md" />
        </div>
        <Skeleton className="h-8 w-32" />
      </div>
      {draw?.()}
    </div>
  );
}

function List({ hasSearch = true }: Readonly<{ hasSearch?: boolean }>) {
  return (
    <>
      <Tabs count={4} />
      {hasSearch && (
        <div className="mb-3 flex gap-2">
          <Skeleton className="h-8 w-64" />
          <Skeleton className="h-8 w-24" />
          <Skeleton className="ml-auto h-8 w-20" />
        </div>
      )}
      <SkeletonCard rows={12} />
    </>
  );
}

function Editor({ columns, first }: Readonly<{ columns: string; first: readonly number[] }>) {
  return (
    <>
      <Tabs count={2} />
      <Columns className={columns} first={first} second={[6]} />
    </>
  );
}

function Columns({
  className,
  first,
  second,
}: Readonly<{ className: string; first: readonly number[]; second: readonly number[] }>) {
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] items-start gap-4 ${className}`}>
      {[first, second].map((cards, column) => (
        <div key={column} className="space-y-4">
          {cards.map((rows, index) => (
            <SkeletonCard key={index} rows={rows} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Tabs({ count }: Readonly<{ count: number }>) {
  return (
    <div className="mb-4 flex h-9 items-center gap-4 border-b border-line">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className="w-20" />
      ))}
    </div>
  );
}
