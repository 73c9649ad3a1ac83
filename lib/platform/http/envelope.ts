import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";

/** The form of every JSON answer of the API (`api.md` 0.4). */
export interface Envelope<T = unknown> {
  readonly meta: {
    /** Random UUID of the request, also in its log line. */
    readonly request_id: string;
    readonly code: number;
    readonly message: string | null;
  };
  readonly data: T;
  /** The same sentence once more, for the routes whose clients read it here (`api.md` 9.1). */
  readonly error?: string;
}

export interface Answer {
  readonly requestId: string;
  readonly status: number;
  readonly message: string | null;
  /** A `StreamedData` is sent piece by piece, a `FileAnswer` without the envelope. */
  readonly data: unknown;
  readonly headers: Headers;
  /** Whether a failure also has the top-level member `error`. */
  readonly errorMember: boolean;
}

export function buildResponse({ requestId, status, message, data, headers, errorMember }: Answer): Response {
  // Answers hold private records; nothing between this server and its caller may keep them.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (data instanceof FileAnswer) return data.toResponse(status, headers, requestId);
  const meta: Envelope["meta"] = { request_id: requestId, code: status, message };
  headers.set("Content-Type", "application/json; charset=utf-8");
  if (data instanceof StreamedData) {
    return new Response(data.toBody(`{"meta":${JSON.stringify(meta)},"data":`, "}", requestId), { status, headers });
  }
  const envelope: Envelope = {
    ...(errorMember && message !== null ? { error: message } : {}),
    meta,
    data: data ?? {},
  };
  return new Response(JSON.stringify(envelope), { status, headers });
}
