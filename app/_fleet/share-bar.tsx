import { cn } from "@/app/_components/ui/cn";

/** A part of the greatest value as a bar; the number stands beside it. */
export function ShareBar({
  share,
  rest,
  className = "fill-chart-1",
}: Readonly<{
  /** From 0 to 1; null draws nothing. */
  share: number | null;
  /** A `fill-…` class of what is left; default: the ground. */
  rest?: string;
  className?: string;
}>) {
  const width = Math.max(0, Math.min(1, share ?? 0)) * 100;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      className={cn("block h-2 w-full min-w-8 rounded-[2px]", share === null && "opacity-40")}
    >
      <rect width={100} height={8} className={share === null ? "fill-active" : (rest ?? "fill-active")} />
      <rect width={width} height={8} className={className} />
    </svg>
  );
}
