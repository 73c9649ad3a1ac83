import { useSyncExternalStore } from "react";
import type { BulkResultJson } from "@/lib/apps/applications/bulk/answer-schema";
import type { BulkDecision, BulkState } from "@/lib/apps/applications/bulk/schema";
import type { Environment } from "@/lib/vocabulary/terms";

/** `filter`: the parameters of a list's address. */
export type BulkChoice = { readonly uuids: readonly string[] } | { readonly filter: Readonly<Record<string, string>> };

export interface Reviewed {
  readonly id: number;
  readonly seen: BulkState;
}

export interface BulkRow extends Pick<BulkResultJson, "outcome" | "message" | "undo"> {
  /** Null: not stored. */
  readonly id: number | null;
  readonly uuid: string;
  readonly name: string;
}

export interface BulkRun {
  readonly decision: BulkDecision;
  readonly reason: string;
  readonly environment: Environment;
  readonly rows: readonly BulkRow[];
  readonly isUndo: boolean;
}

export type BulkStep =
  | {
      readonly kind: "ask";
      readonly decision: BulkDecision;
      readonly choice: BulkChoice;
      readonly reason: string;
      /** Reviewed one by one, by uuid: changed ones are excluded, and no typed word is needed. */
      readonly reviewed?: ReadonlyMap<string, Reviewed>;
      readonly onSent: () => void;
    }
  | { readonly kind: "result" | "undo"; readonly run: BulkRun };

/* Outside of the components: a toast's "Undo" outlives the list, and the result shows when the reader comes back. */
let current: BulkStep | null = null;
const listeners = new Set<() => void>();

export function setBulkStep(step: BulkStep | null): void {
  current = step;
  for (const listener of listeners) listener();
}

/** Unless another step has replaced it. */
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
