"use client";
import { Rocket } from "lucide-react";
import { Button } from "@/app/_components/ui/button";

/** Asks for a promotion; stands in the head of every page that has something to promote, and only there. */
export function PromoteButton({ onClick }: Readonly<{ onClick: () => void }>) {
  return (
    <Button needsServer needs="publish" aria-haspopup="dialog" onClick={onClick}>
      <Rocket aria-hidden="true" />
      Promote to production
    </Button>
  );
}
