import { useEffect, useEffectEvent } from "react";
import { countersPath } from "@/app/_components/shell/navigation/counters";
import { ApiError, getQuietly } from "@/lib/platform/http/client";

const soonMs = 5_000;
const laterMs = 60_000;
/** Milliseconds; a retry in vain makes the next one later. */
let retriedAt = -Infinity;

/** Retries while the page is visible, once the server reads its database again. */
export function useSelfRetry(retry: () => void): void {
  const act = useEffectEvent(() => {
    retriedAt = performance.now();
    retry();
  });
  useEffect(() => {
    const pause = performance.now() - retriedAt < 2 * laterMs ? laterMs : soonMs;
    const timer = setInterval(() => {
      if (!document.hidden) void isServerBack().then((isBack) => isBack && act());
    }, pause);
    return () => clearInterval(timer);
  }, []);
}

function isServerBack(): Promise<boolean> {
  return getQuietly(countersPath).then(
    () => true,
    (error: unknown) => error instanceof ApiError && error.status > 0 && error.status < 500,
  );
}
