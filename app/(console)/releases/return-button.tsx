"use client";
import { Undo2 } from "lucide-react";
import { useOpener } from "@/app/_components/overlay/opener";
import { Button } from "@/app/_components/ui/button";
import { IconButton } from "@/app/_components/ui/icon-button";
import type { ButtonStyle } from "@/app/_components/ui/button-class";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import type { Point } from "./return-dialog";

const ReturnDialog = dialogOnDemand(() => import("./return-dialog").then((m) => m.ReturnDialog));

/** Asks to roll production back to a release (L12). */
export function ReturnButton({
  release,
  current,
  isIcon = false,
  ...look
}: Readonly<
  ButtonStyle & {
    /** Where the row names the release. */
    isIcon?: boolean;
    release: Point;
    /** The latest release: what production has now. */
    current: Point;
  }
>) {
  const name = `Roll back to #${release.number}…`;
  const [button, { open, onOpenChange }] = useOpener({
    trigger: isIcon ? (
      <IconButton icon={Undo2} label={name} size="icon-sm" needsServer needs="publish" />
    ) : (
      <Button {...look} needsServer needs="publish">
        <Undo2 aria-hidden="true" />
        {name}
      </Button>
    ),
  });
  return (
    <>
      {button}
      {/* Forgets what was typed once it is closed. */}
      {open && <ReturnDialog release={release} current={current} onClose={() => onOpenChange(false)} />}
    </>
  );
}
