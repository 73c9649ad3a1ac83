"use client";
import { Undo2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import type { ReleaseOutlineJson } from "@/lib/releases/answer-schema";

const ReturnDialog = dynamic(() => import("./return-dialog").then((m) => m.ReturnDialog), { ssr: false });

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
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button
        needsServer
        aria-haspopup="dialog"
        onClick={() => {
          setIsAsking(true);
        }}
      >
        <Undo2 aria-hidden="true" />
        {label}
      </Button>
      {isAsking && (
        <ReturnDialog
          release={release}
          current={current}
          onClose={() => {
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
