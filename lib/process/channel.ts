import { sharedState } from "@/lib/shared-state";
import { endProcess } from "@/lib/log-output";
import type { ToChild, ToMain } from "@/lib/process/messages";

/*
 * The channel of a process to `main`. Where there is none, as in tests and under `next start`, nothing is told and
 * nothing comes. That a process has a channel says little: tools that start processes have one with them, too.
 */

type Of<Kind extends ToChild["kind"]> = Extract<ToChild, { readonly kind: Kind }>;

/** Questions: they hold for the moment they come. Everything else `main` tells is a state that lasts. */
const questions: ReadonlySet<string> = new Set<ToChild["kind"]>(["collect", "collected"]);

const state = sharedState("main", () => ({
  isJoined: false,
  /** What `main` said last, by kind: whoever begins to listen later must know it, too. */
  said: new Map<string, ToChild>(),
}));

/**
 * Makes this process one of `main`'s: the first thing that an entry does. It ends as soon as `main` is gone, also when that
 * happened before this was called (rule N1).
 */
export function joinMain(): void {
  process.once("disconnect", () => process.exit(0));
  if (!process.connected) process.exit(0);
  state.isJoined = true;
  process.on("message", (message) => {
    if (isMessage(message) && !questions.has(message.kind)) state.said.set(message.kind, message);
  });
  // Node drops what a worker of node:cluster is told before.
  tellMain({ kind: "hello" });
}

/** Whether this process belongs to a `main`. */
export function hasMain(): boolean {
  return state.isJoined;
}

/** Tells `main`; what cannot be told any more is of no interest, since `main` is gone. */
export function tellMain(message: ToMain): void {
  if (state.isJoined && process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * Calls back for every message of one kind; at once when `main` has told such a state before.
 *
 * @returns ends it
 */
export function onMain<Kind extends ToChild["kind"]>(kind: Kind, listener: (message: Of<Kind>) => void): () => void {
  const take = (message: unknown) => {
    if (isMessage(message) && message.kind === kind) listener(message as Of<Kind>);
  };
  take(state.said.get(kind));
  if (state.isJoined) process.on("message", take);
  return () => {
    process.off("message", take);
  };
}

/** Waits for a state that `main` tells. */
export function whenMain<Kind extends ToChild["kind"]>(kind: Kind): Promise<Of<Kind>> {
  return new Promise((resolve) => {
    onMain(kind, resolve);
  });
}

/** Tells `main` that this process can never work as it is configured, and ends it. One sentence each. */
export function refuseToStart(problems: readonly string[]): void {
  if (process.send === undefined) {
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
  // The message has to be out before the end.
  process.send({ kind: "refused", problems } satisfies ToMain, undefined, undefined, () => void endProcess(1));
}

/**
 * Has this process tell every second that its event loop runs, and end when `main` says so (rule N1). Signals are for `main`: a terminal sends them to all processes at once.
 *
 * @param stop finishes what is under way; gives the exit status
 */
export function followMain(stop: () => Promise<number>): void {
  const tell = () => tellMain({ kind: "alive" });
  tell();
  setInterval(tell, 1000).unref();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  onMain("stop", () => void stop().then(endProcess));
}

function isMessage(message: unknown): message is ToChild {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}
