import type { PromptUse } from "@/lib/content/messages/overview";

/** Where a group asks with a message, in words; null: in both environments. */
export function describePlace({ stagingId, productionId }: PromptUse): string | null {
  if (stagingId !== null && productionId !== null) return null;
  return stagingId !== null ? "staging only" : "production only";
}
