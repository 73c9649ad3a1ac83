import type { ToChild, ToMain } from "@/lib/process/messages";

/*
 * The channel of a process to `main`. Where there is none, as in tests and under `next start`, nothing is told and
 * nothing comes.
 */

/** Tells `main`; what cannot be told any more is of no interest, since `main` is gone. */
export function tellMain(message: ToMain): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * Calls back for every message of one kind.
 *
 * @returns ends it
 */
export function onMain<Kind extends ToChild["kind"]>(
  kind: Kind,
  listener: (message: Extract<ToChild, { readonly kind: Kind }>) => void,
): () => void {
  const take = (message: unknown) => {
    if (isOfKind(message, kind)) listener(message as Extract<ToChild, { readonly kind: Kind }>);
  };
  process.on("message", take);
  return () => {
    process.off("message", take);
  };
}

/** Whether this process belongs to a `main`. */
export function hasMain(): boolean {
  return process.connected;
}

/** Has this process tell every second that its event loop runs, and end as soon as `main` is gone (rule N1). */
export function followMain(): void {
  setInterval(() => tellMain({ kind: "alive" }), 1000).unref();
  process.once("disconnect", () => process.exit(0));
}

function isOfKind(message: unknown, kind: string): boolean {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === kind;
}
