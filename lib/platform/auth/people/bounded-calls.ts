import "server-only";
import type { Socket } from "node:net";
import { custom, type CustomHttpOptionsProvider } from "openid-client";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import { log } from "@/lib/platform/log";
import { processGlobal } from "@/lib/platform/process-globals";

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
 * Bounds the time and size of all calls of openid-client (`people.md` P5), which itself waits only for headers.
 * @param callers the class `Issuer`, each issuer, each client
 */
export function boundCalls(...callers: readonly { [custom.http_options]: CustomHttpOptionsProvider }[]): void {
  for (const caller of callers) caller[custom.http_options] = boundedOptions;
}

const boundedOptions: CustomHttpOptionsProvider = ({ protocol }) => ({
  agent: protocol === "https:" ? secureAgent : plainAgent,
  timeout: shared.limits.deadlineMs,
});

/* A connection per call: bounding the connection bounds the call, whatever the library does. */
const plainAgent = new OutgoingHttpAgent({ keepAlive: false }, { onConnection: bound });
const secureAgent = new OutgoingHttpsAgent({ keepAlive: false }, { onConnection: bound });

function bound(socket: Socket): void {
  const { deadlineMs, maxAnswerBytes } = shared.limits;
  let received = 0;
  // Without an error: the library may have stopped listening for one.
  const cut = (reason: string) => {
    log.warn({ reason }, "cut off an answer of the identity provider");
    socket.destroy();
  };
  const deadline = setTimeout(() => cut(`not complete after ${deadlineMs} ms`), deadlineMs);
  socket.on("data", (part: Buffer) => {
    received += part.length;
    if (received > maxAnswerBytes && !socket.destroyed) cut(`longer than ${maxAnswerBytes} bytes`);
  });
  socket.once("close", () => clearTimeout(deadline));
}
