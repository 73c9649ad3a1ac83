"use client";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { ApiError, get } from "@/lib/platform/http/client";

/** How the console reads from the API: refusals are not repeated, and pages rendered by the server are not asked twice. */
export function ConsoleSwr({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <SWRConfig
      value={{
        fetcher: get,
        revalidateOnFocus: false,
        keepPreviousData: true,
        errorRetryCount: 3,
        shouldRetryOnError: (error: unknown) =>
          !(error instanceof ApiError) || error.status === 0 || error.status >= 500,
      }}
    >
      {children}
    </SWRConfig>
  );
}
