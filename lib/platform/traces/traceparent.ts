export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Version, trace, span and flags; a later version may say more behind them. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context); null when it is none, as of somebody who sends what he likes. */
export function parseTraceparent(text: unknown): RemoteParent | null {
  const [, version = "", traceId = "", spanId = "", flags = "", more] = form.exec(String(text)) ?? [];
  if (traceId === "" || (version === "00" && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: RemoteParent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, "0")}`;
}
