"use client";
import { Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { LazyDialog } from "@/app/_components/overlay/lazy-dialog";
import { Button } from "@/app/_components/ui/button";
import type { ReleaseOutlineJson } from "@/lib/content/releases/answer-schema";

const load = () => import("./return-dialog");
const ReturnDialog = dynamic(() => load().then((m) => m.ReturnDialog), { ssr: false });

/** Asks to make production again what it was as of a release (L12). */
export function ReturnButton({
  release,
  current,
  label,
}: Readonly<{
  release: Pick<ReleaseOutlineJson, "number" | "name" | "at">;
  /** The newest release: what production has now. */
  current: Pick<ReleaseOutlineJson, "number" | "name" | "at">;
  label: string;
}>) {
  const trigger = (
    <Button needsServer needs="publish">
      <Undo2 aria-hidden="true" />
      {label}
    </Button>
  );
  return (
    <LazyDialog trigger={trigger} open={undefined} onOpenChange={undefined} load={load}>
      {/* Closed, it forgets what was typed. */}
      {({ open, onOpenChange }) =>
        open && <ReturnDialog release={release} current={current} onClose={() => onOpenChange(false)} />
      }
    </LazyDialog>
  );
}
