import { useSyncExternalStore } from "react";
import type { BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import type { BulkDecision, BulkState } from "@/lib/apps/applications/bulk/schema";

/** The apps that a decision is about: chosen ones, or all that a list shows (the parameters of its address). */
export type BulkChoice = { readonly uuids: readonly string[] } | { readonly filter: Readonly<Record<string, string>> };

/** A version as somebody looked at it. */
export interface Reviewed {
  readonly id: number;
  readonly seen: BulkState;
}

export interface BulkRow extends Pick<BulkResultJson, "outcome" | "message" | "undo"> {
  /** Null: nothing is stored of it. */
  readonly id: number | null;
  readonly uuid: string;
  readonly name: string;
}

export interface BulkRun {
  readonly decision: BulkDecision;
  readonly reason: string;
  /** Failures first. */
  readonly rows: readonly BulkRow[];
  readonly isUndo: boolean;
}

export type BulkStep =
  | {
      readonly kind: "ask";
      readonly decision: BulkDecision;
      readonly choice: BulkChoice;
      readonly reason: string;
      /** Each app was looked at, by its uuid; only what is still so is decided about, and no word is asked for. */
      readonly reviewed?: ReadonlyMap<string, Reviewed>;
      /** Called once something was sent. */
      readonly onSent: () => void;
    }
  | { readonly kind: "result" | "undo"; readonly run: BulkRun };

/*
 * Outside of the components: the way back that a message offers outlives the list, and what became of a decision is told
 * when the reader comes back to it.
 */
let current: BulkStep | null = null;
const listeners = new Set<() => void>();

export function setBulkStep(step: BulkStep | null): void {
  current = step;
  for (const listener of listeners) listener();
}

/** Ends a step, unless another one has followed it. */
export function endBulkStep(step: BulkStep): void {
  if (current === step) setBulkStep(null);
}

export function useBulkStep(): BulkStep | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
