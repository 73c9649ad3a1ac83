"use client";
import { createContext, use, type ReactNode } from "react";
import useSWR, { mutate } from "swr";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { getQuietly } from "@/lib/platform/http/client";

export const countersPath = "/api/v1/ui/counters";
const everyMinute = 60_000;

const CountersContext = createContext<CountersAnswer | null>(null);

/** Every minute, on window focus, and after changes. Failures are silent and keep the last numbers. */
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

/** Null while unknown. */
export function useCounters(): CountersAnswer | null {
  return use(CountersContext);
}

/** Call it after a change. */
export function refreshCounters(): void {
  void mutate(countersPath);
}
