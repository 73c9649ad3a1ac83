import type { BoundSocket } from "@/lib/platform/listen/bind";
import { processGlobal } from "@/lib/platform/process-globals";
import { endProcess } from "@/lib/platform/log-output";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";
import type { Ports } from "@/lib/platform/listen/listen";
import type { Settings } from "@/lib/platform/settings";

/*
 * The channel to `main`. Without a `main`, as in tests and under `next start`, nothing is told and nothing comes.
 * Having an IPC channel proves nothing: tools start processes with one, too.
 */

type Of<Kind extends ToChild["kind"]> = Extract<ToChild, { readonly kind: Kind }>;

/** Questions: they hold for the moment they come. Everything else `main` tells is a state that lasts. */
const questions: ReadonlySet<string> = new Set<ToChild["kind"]>(["collect", "collected"]);

/** How `main` is reached. What it says comes as events `message`. */
export interface MainChannel {
  readonly events: Pick<NodeJS.EventEmitter, "on" | "off">;
  tell(message: ToMain): void;
}

interface State {
  channel: MainChannel | null;
  /** What `main` said last, by kind: whoever begins to listen later must know it, too. */
  readonly said: Map<string, ToChild>;
  /** What came along with it. */
  readonly sockets: Map<string, BoundSocket>;
}
const state = processGlobal<State>("main", () => ({ channel: null, said: new Map(), sockets: new Map() }));

const ownChannel: MainChannel = {
  events: process,
  tell: (message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  },
};

/** Makes this process one of `main`'s, first thing: it ends with `main` (N1), and says every second that it lives. */
export function joinMain(): void {
  process.once("disconnect", () => process.exit(0));
  if (!process.connected) process.exit(0);
  reachMain(ownChannel);
  process.on("message", (message, socket: unknown) => {
    if (!isMessage(message) || questions.has(message.kind)) return;
    if (isBoundSocket(socket)) state.sockets.set(message.kind, socket);
    state.said.set(message.kind, message);
  });
  // What comes before somebody listens is lost.
  tellMain({ kind: "hello" });
  const tell = () => tellMain({ kind: "alive", memory: process.memoryUsage.rss() });
  tell();
  setInterval(tell, 1000).unref();
}

/** From here on, what is told goes to this `main`; null: there is none. */
export function reachMain(channel: MainChannel | null): void {
  state.channel = channel;
}

export function hasMain(): boolean {
  return state.channel !== null;
}

/** Tells `main`; what cannot be told any more is of no interest, since `main` is gone. */
export function tellMain(message: ToMain): void {
  state.channel?.tell(message);
}

/** Calls back for every message of one kind, at once if such a state was told before. Returns what ends it. */
export function onMain<Kind extends ToChild["kind"]>(kind: Kind, listener: (message: Of<Kind>) => void): () => void {
  const take = (message: unknown) => {
    if (isMessage(message) && message.kind === kind) listener(message as Of<Kind>);
  };
  take(state.said.get(kind));
  const events = state.channel?.events;
  events?.on("message", take);
  return () => {
    events?.off("message", take);
  };
}

export function whenMain<Kind extends ToChild["kind"]>(kind: Kind): Promise<Of<Kind>> {
  return new Promise((resolve) => {
    const end = onMain(kind, (message) => {
      resolve(message);
      // What was told before is answered before `onMain` returns.
      queueMicrotask(() => end());
    });
  });
}

async function whenSocket(kind: "port" | "securePort"): Promise<BoundSocket> {
  await whenMain(kind);
  const socket = state.sockets.get(kind);
  if (socket === undefined) throw new TypeError(`main has told of a ${kind} and sent none`);
  return socket;
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

/** Ends this process when `main` says so (rule N1); signals are for `main`. `stop` gives the exit status. */
export function followMain(stop: () => Promise<number>): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  onMain("stop", () => void stop().then(endProcess));
}

function isMessage(message: unknown): message is ToChild {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}

function isBoundSocket(value: unknown): value is BoundSocket {
  return typeof value === "object" && value !== null && "getsockname" in value;
}

/** Waits for the sockets that `main` holds, and for what it has read of the TLS files (`processes.md` N1). */
export async function receivePorts(tls: Pick<NonNullable<Settings["tls"]>, "legacyCiphers"> | null): Promise<Ports> {
  const plain = await whenSocket("port");
  if (tls === null) return { plain, secure: null };
  const socket = await whenSocket("securePort");
  const { pair } = await whenMain("tls");
  const { legacyCiphers } = tls;
  return { plain, secure: { socket, pair, legacyCiphers, onPair: (take) => onMain("tls", (told) => take(told.pair)) } };
}
