"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useCounters } from "@/app/_components/shell/navigation/counters";
import { useReaderId, useRole } from "@/app/_components/shell/role";

/** Reloads what all pages share when the reader or their role has changed (`people.md` P16). */
export function ReaderWatch({ name }: Readonly<{ name: string | null }>) {
  const router = useRouter();
  const [id, role] = [useReaderId(), useRole()];
  const seen = useCounters()?.reader ?? null;
  const isOther = seen !== null && (seen.id !== id || seen.name !== name || seen.role !== role);
  useEffect(() => {
    if (isOther) router.refresh();
  }, [isOther, router]);
  return null;
}
