"one per process";

import type { BoundSocket } from "@/lib/platform/listen/bind";
import { residentBytes } from "@/lib/platform/process/run-time";
import { endProcess } from "@/lib/platform/log-output";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";
import type { Ports } from "@/lib/platform/listen/listen";
import type { Settings } from "@/lib/platform/settings";

// Without a `main`, as in tests and under `next start`, messages go nowhere and none arrive. An IPC channel alone
// proves nothing: other tools also start processes with one.

type Of<Kind extends ToChild["kind"]> = Extract<ToChild, { readonly kind: Kind }>;

/** Requests and counts, valid only when they arrive. All other messages of `main` are lasting states. */
const questions: ReadonlySet<string> = new Set<ToChild["kind"]>(["collect", "collected", "counts", "counted"]);

export interface MainChannel {
  readonly events: Pick<NodeJS.EventEmitter, "on" | "off">;
  tell(message: ToMain): void;
}

interface State {
  channel: MainChannel | null;
  readonly listeners: Set<(message: ToChild) => void>;
  readonly take: (message: unknown) => void;
  readonly said: Map<string, ToChild>;
  readonly sockets: Map<string, BoundSocket>;
}
const state: State = {
  channel: null,
  listeners: new Set(),
  take: (message) => {
    if (isMessage(message)) for (const listener of [...state.listeners]) listener(message);
  },
  said: new Map(),
  sockets: new Map(),
};

const ownChannel: MainChannel = {
  events: process,
  tell: (message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  },
};

/** Makes this process a child of `main`; call it first. It ends with `main` (N1) and sends a sign of life every second. */
export function joinMain(): void {
  process.once("disconnect", () => process.exit(0));
  if (!process.connected) process.exit(0);
  process.on("message", (message, socket: unknown) => {
    if (!isMessage(message) || questions.has(message.kind)) return;
    if (isBoundSocket(socket)) state.sockets.set(message.kind, socket);
    state.said.set(message.kind, message);
  });
  reachMain(ownChannel);
  sendToMain({ kind: "hello" });
  const tell = () => sendToMain({ kind: "alive", memory: residentBytes() });
  tell();
  setInterval(tell, 1000).unref();
}

export function reachMain(channel: MainChannel | null): void {
  state.channel?.events.off("message", state.take);
  state.listeners.clear();
  state.channel = channel;
}

export function hasMain(): boolean {
  return state.channel !== null;
}

export function sendToMain(message: ToMain): void {
  state.channel?.tell(message);
}

/** Calls back for each message of one kind, and at once for an earlier state. Returns a function that stops it. */
export function onMain<Kind extends ToChild["kind"]>(kind: Kind, listener: (message: Of<Kind>) => void): () => void {
  const take = (message: ToChild) => {
    if (message.kind === kind) listener(message as Of<Kind>);
  };
  const said = state.said.get(kind);
  if (said !== undefined) take(said);
  if (state.listeners.size === 0) state.channel?.events.on("message", state.take);
  state.listeners.add(take);
  return () => {
    state.listeners.delete(take);
    if (state.listeners.size === 0) state.channel?.events.off("message", state.take);
  };
}

export function saidByMain<Kind extends ToChild["kind"]>(kind: Kind): Of<Kind> | null {
  return (state.said.get(kind) as Of<Kind> | undefined) ?? null;
}

export function whenMain<Kind extends ToChild["kind"]>(kind: Kind): Promise<Of<Kind>> {
  return new Promise((resolve) => {
    const end = onMain(kind, (message) => {
      resolve(message);
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

/** Tells `main` that this process cannot work with its configuration, and ends it. One sentence per problem. */
export function refuseToStart(problems: readonly string[]): void {
  if (process.send === undefined) {
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
  process.send({ kind: "refused", problems } satisfies ToMain, undefined, undefined, () => void endProcess(1));
}

/** Ends this process when `main` says so (rule N1); only `main` handles signals. `stop` resolves to the exit status. */
export function followMain(stop: () => Promise<number>): void {
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  onMain("stop", () => void stop().then(endProcess));
}

function isMessage(message: unknown): message is ToChild {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}

function isBoundSocket(value: unknown): value is BoundSocket {
  return typeof value === "object" && value !== null && "getsockname" in value;
}

/** Waits for the sockets that `main` holds, and for the TLS files that it has read (`processes.md` N1). */
export async function receivePorts(tls: Pick<NonNullable<Settings["tls"]>, "legacyCiphers"> | null): Promise<Ports> {
  const plain = await whenSocket("port");
  if (tls === null) return { plain, secure: null };
  const socket = await whenSocket("securePort");
  const { pair } = await whenMain("tls");
  const { legacyCiphers } = tls;
  return { plain, secure: { socket, pair, legacyCiphers, onPair: (take) => onMain("tls", (told) => take(told.pair)) } };
}
