"use client";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { ApiError, get } from "@/lib/platform/http/client";

/** 4xx errors are not retried, and server-rendered data are not fetched again. */
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
