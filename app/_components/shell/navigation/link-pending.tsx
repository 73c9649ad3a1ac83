"use client";
import { useLinkStatus } from "next/link";
import { cn } from "@/app/_components/ui/cn";

/** Inside a link: shows that its page is on the way, once that takes longer than 150 ms. */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return (
    <span
      aria-hidden="true"
      className={cn("absolute left-0.5 size-1 rounded-full bg-accent", pending ? "animate-appear" : "invisible")}
    />
  );
}
