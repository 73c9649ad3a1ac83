import { cn } from "@/app/_components/ui/cn";

export function Skeleton({ className }: Readonly<{ className?: string }>) {
  return <span aria-hidden="true" className={cn("block h-4 animate-pulse rounded-control bg-active", className)} />;
}

export function SkeletonCard({ rows }: Readonly<{ rows: number }>) {
  return (
    <div className="divide-y divide-line rounded-card border border-line bg-surface">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/6" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
