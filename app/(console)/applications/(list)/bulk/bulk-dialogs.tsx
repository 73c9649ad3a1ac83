import type { BulkStep } from "./bulk-store";
import { BulkQuestion } from "./bulk-question";
import { BulkResult } from "./bulk-result";
import { BulkUndo } from "./bulk-undo";

export function BulkDialogs({ step }: Readonly<{ step: BulkStep }>) {
  if (step.kind === "ask") return <BulkQuestion step={step} />;
  return step.kind === "undo" ? <BulkUndo step={step} run={step.run} /> : <BulkResult step={step} run={step.run} />;
}
