"use client";
import { useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { readStored, writeStored } from "@/app/_components/hooks/use-preference";

const keyOf = (section: string) => `list:${section}`;
const subscribe = () => () => undefined;

/** As this tab last saw it; null if it has not, and on the server. */
export function useSeenList(section: string): string | null {
  const path = useSyncExternalStore(
    subscribe,
    () => readStored("sessionStorage", keyOf(section)),
    () => null,
  );
  // Only `RememberList` writes this value, but addresses must stay within the section.
  return path === section || path?.startsWith(`${section}?`) ? path : null;
}

export function RememberList({ section }: Readonly<{ section: string }>) {
  const query = useSearchParams().toString();
  useEffect(() => {
    writeStored("sessionStorage", keyOf(section), query === "" ? section : `${section}?${query}`);
  }, [section, query]);
  return null;
}
