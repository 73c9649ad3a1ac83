"use client";
import { createContext, use, type ReactNode } from "react";
import useSWR, { mutate } from "swr";
import type { CountersAnswer } from "@/lib/console/answer-schema";
import { getQuietly } from "@/lib/platform/http/client";

export const countersPath = "/api/v1/ui/counters";
const everyMinute = 60_000;

const CountersContext = createContext<CountersAnswer | null>(null);

/**
 * Asks for the counters, once for the whole console: every minute, when the window gets the focus, and after changes.
 * Failures stay silent and keep the last figures. The first ones come with the page.
 */
export function CountersProvider({ first, children }: Readonly<{ first: CountersAnswer | null; children: ReactNode }>) {
  const { data } = useSWR<CountersAnswer>(countersPath, (path: string) => getQuietly(path) as Promise<CountersAnswer>, {
    ...(first && { fallbackData: first }),
    refreshInterval: everyMinute,
    revalidateOnFocus: true,
    revalidateOnMount: first === null,
    shouldRetryOnError: false,
    onError: () => undefined,
  });
  return <CountersContext value={data ?? null}>{children}</CountersContext>;
}

/** What waits for somebody, by section; null while nothing is known. */
export function useCounters(): CountersAnswer | null {
  return use(CountersContext);
}

/** To be called after a change: the badges follow. */
export function refreshCounters(): void {
  void mutate(countersPath);
}
