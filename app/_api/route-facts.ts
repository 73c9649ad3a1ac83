"one per process";

import type { z } from "zod";
import type { ErrorCode } from "@/lib/platform/errors";
import type { Cors } from "@/lib/platform/http/headers/cors";
import type { Need } from "@/lib/vocabulary/roles";

/** Who may call a route (`api.md` 0.6, `people.md` P7). "visitor": everyone except pages of other sites. */
export type Needs = Need | "public" | "webhook" | "visitor";

export interface MoreNeeded {
  readonly needs: Need;
  /** Completes the sentence "… needs the role publisher". */
  readonly what: string;
}

export function needOf({ needs }: Pick<RouteFacts, "needs">): Need | null {
  return needs === "public" || needs === "webhook" || needs === "visitor" ? null : needs;
}

export interface RouteFacts {
  readonly summary: string | null;
  readonly needs: Needs;
  readonly moreNeeded: MoreNeeded | null;
  readonly input: { readonly params?: z.ZodType; readonly query?: z.ZodType; readonly body?: z.ZodType };
  /** `data` of a success; outside of the envelope the whole body; null for nothing. */
  readonly answer: z.ZodType | null;
  readonly form: "envelope" | "json" | "text" | "file";
  /** In an envelope: what the query can choose instead. */
  readonly fileTypes: readonly string[];
  readonly errorMember: boolean;
  readonly beforeReady: boolean;
  /** Whether it only reads, whatever its method; then nothing can conflict. */
  readonly storesNothing: boolean;
  readonly failures: readonly ErrorCode[];
  readonly cors: Cors | null;
  /** An alternative path with the same responses; `next.config.js` rewrites it to this one. */
  readonly alias: string | null;
}

const known = new WeakMap<object, RouteFacts>();

export function withFacts<T extends object>(handler: T, facts: Partial<RouteFacts> & Pick<RouteFacts, "needs">): T {
  const complete: RouteFacts = {
    summary: null,
    moreNeeded: null,
    input: {},
    answer: null,
    form: "envelope",
    fileTypes: [],
    errorMember: false,
    beforeReady: false,
    storesNothing: false,
    failures: [],
    cors: null,
    alias: null,
    ...facts,
  };
  known.set(handler, complete);
  return handler;
}

export function factsOf(handler: unknown): RouteFacts | null {
  return typeof handler === "function" ? (known.get(handler) ?? null) : null;
}
