import type { z } from "zod";
import type { ErrorCode } from "@/lib/platform/errors";
import type { Cors } from "@/lib/platform/http/headers/cors";
import { processGlobal } from "@/lib/platform/process-globals";
import type { Need } from "@/lib/labels/roles";

/** Who may call a route (`api.md` 0.6, `people.md` P7). "visitor": everyone but pages of other sites. */
export type Needs = Need | "public" | "webhook" | "visitor";

export interface MoreNeeded {
  readonly needs: Need;
  /** Completes the sentence "… needs the role publisher". */
  readonly what: string;
}

/** What role a route asks for, or null where it asks for none. */
export function needOf({ needs }: Pick<RouteFacts, "needs">): Need | null {
  return needs === "public" || needs === "webhook" || needs === "visitor" ? null : needs;
}

/** What a route says about itself, for the description of the API. The schemas are those that check its requests. */
export interface RouteFacts {
  readonly summary: string | null;
  readonly needs: Needs;
  /** What more it asks for inside; null: nothing. */
  readonly moreNeeded: MoreNeeded | null;
  readonly input: { readonly params?: z.ZodType; readonly query?: z.ZodType; readonly body?: z.ZodType };
  /** `data` of a success; of a route outside of the envelope the whole body; null: nothing. */
  readonly answer: z.ZodType | null;
  /** Form of the answer: in the envelope (`api.md` 0.4), the bare JSON, plain text, or a file of one of `fileTypes`. */
  readonly form: "envelope" | "json" | "text" | "file";
  readonly fileTypes: readonly string[];
  readonly errorMember: boolean;
  /** Whether it answers before the first data are loaded (`api.md` 0.9). */
  readonly beforeReady: boolean;
  /** Whether it only answers a question, whatever its method is: nothing can be in conflict then. */
  readonly storesNothing: boolean;
  /** Failures of its own, beside those that follow from the other facts. */
  readonly failures: readonly ErrorCode[];
  readonly cors: Cors | null;
  /** Another spelling of the path that is answered alike; `next.config.js` leads it here. */
  readonly alias: string | null;
}

const known = processGlobal("route-facts", () => new WeakMap<object, RouteFacts>());

/** Attaches facts to a handler, which stays the same function. */
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

/** The facts of a handler, or null when it answers nothing but refusals. */
export function factsOf(handler: unknown): RouteFacts | null {
  return typeof handler === "function" ? (known.get(handler) ?? null) : null;
}
