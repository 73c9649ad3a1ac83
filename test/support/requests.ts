import type { Envelope } from "@/lib/platform/http/envelope";

/** A request as Next passes it to a route. Texts are sent unchanged, bytes without a media type, all else as JSON. */
export function aRequest(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Request {
  const { method = init.body === undefined ? "GET" : "POST", headers = {}, body } = init;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const isTyped = body === undefined || body instanceof Uint8Array;
  return new Request(new URL(path, "http://localhost:3000"), {
    method,
    headers: { ...(isTyped ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  });
}

/** Reads an API response and checks the rules that apply to all of them (`api.md` 0.4). */
export async function readAnswer<T = any>(response: Response): Promise<Envelope<T>> {
  const type = response.headers.get("content-type");
  if (type !== "application/json; charset=utf-8") throw new Error(`unexpected media type ${type}`);
  const envelope = (await response.json()) as Envelope<T>;
  if (envelope.meta.code !== response.status) throw new Error("meta.code differs from the status");
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(envelope.meta.request_id)) {
    throw new Error("request_id is no random UUID");
  }
  if ((envelope.meta.message === null) !== response.ok) throw new Error("a failure has a message, a success none");
  return envelope;
}
