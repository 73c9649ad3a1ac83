import { appHmiTypes } from "@/lib/policy/head-unit/words";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import { coreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { notificationPriorities } from "@/lib/vocabulary/terms";

// SDL Core 4.5 and older (`head-unit-rules.md` C13) do not drop unknown words: one makes them refuse the whole table.

/** A request does not reveal the build, so both get what both know. */
const { knowsParameter } = coreVocabulary("4.5", "regular", new Set());

/** Priorities of notifications: at most six are allowed, and this one is the newest. */
export const olderPriorities = notificationPriorities.filter((priority) => priority !== "PROJECTION");

/** Whether they know an app's HMI type: all current ones except the newest. */
export function isOlderHmiType(type: string): boolean {
  return type !== "WEB_VIEW" && appHmiTypes.has(type);
}

/** Omits RPCs of which they know no listed parameter: an empty list forbids the RPC (C1), no list allows all. */
export function olderRpcs(rpcs: readonly AllowedRpc[]): AllowedRpc[] {
  return rpcs.flatMap((rpc) => {
    if (rpc.parameters === null) return [rpc];
    const known = rpc.parameters.filter(knowsParameter);
    return known.length === 0 ? [] : [{ ...rpc, parameters: known }];
  });
}
