import { cn } from "@/app/_components/ui/cn";

/** A place for what is still loading, of the size it will have. */
export function Skeleton({ className }: Readonly<{ className?: string }>) {
  return (
    <span aria-hidden="true" className={cn("block h-4 animate-pulse-soft rounded-control bg-active", className)} />
  );
}

/** A page that is still loading. Shows after 150 ms: what comes sooner needs no announcement. */
export function PageSkeleton({ rows = 8, label = "Loading" }: Readonly<{ rows?: number; label?: string }>) {
  return (
    <div aria-busy="true" className="animate-appear">
      <p role="status" className="sr-only">
        {label}
      </p>
      <Skeleton className="mb-6 h-7 w-56" />
      <div className="mb-3 flex gap-2">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-8 w-24" />
      </div>
      <div className="divide-y divide-line rounded-card border border-line bg-surface">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index} className="flex items-center gap-4 px-4 py-3">
            <Skeleton className="w-1/3" />
            <Skeleton className="w-1/6" />
            <Skeleton className="ml-auto w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
