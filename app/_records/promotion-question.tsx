"use client";
import { useRef, useState } from "react";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import type { ConfirmQuestion } from "@/app/_components/overlay/confirm-dialog-layer";
import { FindingsDialog } from "@/app/_components/feedback/findings-dialog";
import type { Finding } from "@/app/_components/feedback/promotion-findings";
import { readRefusal } from "@/app/_records/read-refusal";

/**
 * Asks before a promotion, whatever is promoted. What head units would refuse is told in words, and is published only
 * after a second question.
 */
export function PromotionQuestion({
  publish,
  prepare = () => Promise.resolve(true),
  onPromoted,
  onClose,
  refused = "Nothing has been promoted.",
  withoutPreparing,
  children,
  ...question
}: Readonly<
  Omit<ConfirmQuestion, "onConfirm" | "alternative"> & {
    /** Calls the route; `force` publishes in spite of findings. */
    publish: (force: boolean) => Promise<unknown>;
    /** What comes before it; false: it cannot be, and the question is closed. */
    prepare?: () => Promise<boolean>;
    /** The dialog waits for it. */
    onPromoted: () => unknown;
    /** The dialog is gone, whatever came of it: unmount it. */
    onClose: () => void;
    /** What has become of the first attempt when there are findings. */
    refused?: string;
    /** Label of the other answer: to publish and leave out what comes before. */
    withoutPreparing?: string | null;
  }
>) {
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  /** The first question closes when its act is over: whether another one follows is known before it is drawn. */
  const isRefused = useRef(false);

  async function run(force: boolean): Promise<void> {
    try {
      await publish(force);
    } catch (error) {
      const found = force ? null : readRefusal(error);
      if (found === null) throw error;
      isRefused.current = true;
      setFindings(found);
      return;
    }
    await onPromoted();
  }

  if (findings !== null) {
    return (
      <FindingsDialog findings={findings} onConfirm={() => run(true)} onClose={onClose}>
        {refused}
      </FindingsDialog>
    );
  }
  return (
    <ConfirmDialog
      {...question}
      key="effect"
      open
      onConfirm={async () => {
        if (await prepare()) await run(false);
      }}
      alternative={withoutPreparing == null ? undefined : { label: withoutPreparing, onConfirm: () => run(false) }}
      onOpenChange={(isOpen) => {
        if (!isOpen && !isRefused.current) onClose();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}

/** What vehicles notice of a promotion. */
export function PromotionEffectNote() {
  return <p>The production table changes at once: vehicles receive it with their next policy update.</p>;
}
