import "server-only";
import type { Socket } from "node:net";
import { custom, type CustomHttpOptionsProvider } from "openid-client";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import { log } from "@/lib/platform/log";
import { processGlobal } from "@/lib/platform/process-globals";

/** What a call to the identity provider may cost. */
export interface CallLimits {
  /** From the first byte of the connection to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Headers included. */
  readonly maxAnswerBytes: number;
}

const usualLimits: CallLimits = { deadlineMs: 10_000, maxAnswerBytes: 1024 * 1024 };
const shared = processGlobal("provider-calls", () => ({ limits: usualLimits }));

/** Other limits until the next call; null: the usual ones. For tests. */
export function replaceCallLimits(limits: Partial<CallLimits> | null): void {
  shared.limits = { ...usualLimits, ...limits };
}

/**
 * Bounds all calls of openid-client: one that stalls, never ends or brings too much is cut (`people.md` P5), as if the
 * provider were down. The library itself waits for headers only, and keeps whatever comes.
 *
 * @param callers whoever the library calls with: the class `Issuer` for discovery, each issuer for its keys, each client
 */
export function boundCalls(...callers: readonly { [custom.http_options]: CustomHttpOptionsProvider }[]): void {
  for (const caller of callers) caller[custom.http_options] = boundedOptions;
}

const boundedOptions: CustomHttpOptionsProvider = ({ protocol }) => ({
  agent: protocol === "https:" ? secureAgent : plainAgent,
  timeout: shared.limits.deadlineMs,
});

/*
 * Each call has a connection of its own, which ends with it: what bounds the connection bounds the call, whatever the
 * library does.
 */
const plainAgent = new OutgoingHttpAgent({ keepAlive: false }, { onConnection: bound });
const secureAgent = new OutgoingHttpsAgent({ keepAlive: false }, { onConnection: bound });

function bound(socket: Socket): void {
  const { deadlineMs, maxAnswerBytes } = shared.limits;
  let received = 0;
  // Without an error: the library may have stopped listening for one.
  const cut = (reason: string) => {
    log.warn({ reason }, "an answer of the identity provider was cut");
    socket.destroy();
  };
  const deadline = setTimeout(() => cut(`not complete after ${deadlineMs} ms`), deadlineMs);
  socket.on("data", (part: Buffer) => {
    received += part.length;
    if (received > maxAnswerBytes && !socket.destroyed) cut(`longer than ${maxAnswerBytes} bytes`);
  });
  socket.once("close", () => clearTimeout(deadline));
}
