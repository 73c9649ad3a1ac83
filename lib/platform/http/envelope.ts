import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";

export interface Envelope<T = unknown> {
  readonly meta: {
    readonly request_id: string;
    readonly code: number;
    readonly message: string | null;
  };
  readonly data: T;
  /** The message again, for routes whose clients read it here (`api.md` 9.1). */
  readonly error?: string;
}

export interface Answer {
  readonly requestId: string;
  readonly status: number;
  readonly message: string | null;
  readonly data: unknown;
  readonly headers: Headers;
  readonly errorMember: boolean;
}

export function buildResponse({ requestId, status, message, data, headers, errorMember }: Answer): Response {
  // Responses contain private records, so nothing in between may cache them.
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
