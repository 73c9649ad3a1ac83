"use client";
import { Rocket } from "lucide-react";
import { Button } from "@/app/_components/ui/button";
import { LinkButton } from "@/app/_components/ui/link-button";

/** Leads to the review of what would be promoted; stands in the head of every page that has something to promote. */
export function PromoteButton({
  href,
  onAsk,
}: Readonly<{
  href: string;
  /** There is something to be asked before. */
  onAsk?: () => void;
}>) {
  const label = (
    <>
      <Rocket aria-hidden="true" />
      Promote to production
    </>
  );
  return onAsk ? (
    <Button needsServer aria-haspopup="dialog" onClick={onAsk}>
      {label}
    </Button>
  ) : (
    <LinkButton href={href}>{label}</LinkButton>
  );
}
