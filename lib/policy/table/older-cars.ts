import { appHmiTypes } from "@/lib/policy/head-unit/words";
import type { AllowedRpc } from "@/lib/policy/table/functional-groupings";
import { coreVocabulary } from "@/lib/policy/vocabulary/core-versions";
import { notificationPriorities } from "@/lib/labels/vocabulary";

/*
 * What head units with SDL Core 4.5 and older take (`head-unit-rules.md` C13). They drop nothing that they do not know:
 * one such word, and they refuse the whole table.
 */

/** Which build has sent a request cannot be told, so that both get what both know. */
const { knowsParameter } = coreVocabulary("4.5", "regular", new Set());

/** Priorities of notifications: six at most, and this one is the newest. */
export const olderPriorities = notificationPriorities.filter((priority) => priority !== "PROJECTION");

/** Whether they know an app's HMI type: all of today's but the newest. */
export function isOlderHmiType(type: string): boolean {
  return type !== "WEB_VIEW" && appHmiTypes.has(type);
}

/**
 * What a group allows with the parameters that they know. An RPC of which they know no listed parameter is left out: an
 * empty list would forbid it to every app (rule C1), and no list would allow all parameters.
 */
export function olderRpcs(rpcs: readonly AllowedRpc[]): AllowedRpc[] {
  return rpcs.flatMap((rpc) => {
    if (rpc.parameters === null) return [rpc];
    const known = rpc.parameters.filter(knowsParameter);
    return known.length === 0 ? [] : [{ ...rpc, parameters: known }];
  });
}
