"use client";
import { useEffect, useState } from "react";
import { describeAge, formatMoment } from "@/app/_components/ui/moment";
import { Tooltip } from "@/app/_components/ui/tooltip";
import { usePreference } from "@/app/_components/hooks/use-preference";
import { usePrinting } from "@/app/_components/hooks/use-printing";

const everyMinute = 60_000;

/** The exact time shows on hover and focus; on paper, where nobody hovers, the time in UTC. */
export function TimeAgo({
  at,
  exact = false,
  className,
}: Readonly<{ at: string; exact?: boolean | "below"; className?: string }>) {
  const [zone] = usePreference("timeZone");
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, everyMinute);
    return () => clearInterval(timer);
  }, []);
  const isPrinting = usePrinting();
  const moment = formatMoment(at, zone);
  return (
    <Tooltip text={moment}>
      <time dateTime={at} tabIndex={0} className={className} suppressHydrationWarning>
        {now === null || isPrinting ? (
          formatMoment(at, "utc")
        ) : (
          <>
            {describeAge(at, now)}
            {exact === true && `, ${moment}`}
            {exact === "below" && <span className="block text-xs">{moment}</span>}
          </>
        )}
      </time>
    </Tooltip>
  );
}
