import { randomUUID } from "node:crypto";

export interface Call {
  readonly method: string;
  /** The part after `/api/v2/`, e.g. `application`; for other URLs the path with its slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string | null;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The envelope of all responses around data that already is JSON text. */
export function envelopeOf(data: string, status = 200, message: string | null = null): Answer {
  const meta = JSON.stringify({ request_id: randomUUID(), code: status, message });
  return { status, type: "application/json; charset=utf-8", body: `{"meta":${meta},"data":${data}}` };
}

export function success(data: Readonly<Record<string, unknown>> = {}): Answer {
  return envelopeOf(JSON.stringify(data));
}

export function refusal(status: number, message: string): Answer {
  return envelopeOf("{}", status, message);
}
