"use client";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { changeAddress } from "@/app/_components/list/list-address";
import { usePreference } from "@/app/_components/use-preference";
import { rememberList } from "../list-memory";

/** Remembers the list for the way back from an app, and brings the page size that was chosen last time. */
export function ListMemory({ ids }: Readonly<{ ids: readonly number[] }>) {
  const router = useRouter();
  const parameters = useSearchParams();
  const [size] = usePreference("pageSize");
  useEffect(() => {
    if (size !== "50" && !parameters.has("size")) {
      router.replace(changeAddress("/applications", parameters, { size }), { scroll: false });
      return;
    }
    const query = parameters.toString();
    rememberList({ path: query === "" ? "/applications" : `/applications?${query}`, ids });
  }, [parameters, ids, size, router]);
  return null;
}
