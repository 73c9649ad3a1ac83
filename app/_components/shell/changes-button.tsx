"use client";
import { Rocket } from "lucide-react";
import { useCounters } from "@/app/_components/shell/navigation/counters";
import { LinkButton } from "@/app/_components/ui/link-button";
import { formatNumber } from "@/lib/labels/format-number";

/** Leads from every page to the review of what production does not have; absent while there is nothing. */
export function ChangesButton() {
  const count = useCounters()?.unpublished_changes ?? 0;
  if (count === 0) return null;
  return (
    <LinkButton
      href="/changes"
      className="border-warn-line bg-warn-soft px-2 text-warn hover:bg-warn-soft hover:underline"
    >
      <Rocket aria-hidden="true" />
      <span className="tabular-nums">{formatNumber(count)}</span>{" "}
      {/* Where there is no room the words are still there for those who listen. */}
      <span className="max-xl:sr-only">{count === 1 ? "change" : "changes"} not in production</span>
    </LinkButton>
  );
}
