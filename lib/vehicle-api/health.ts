import type { IncomingMessage, ServerResponse } from "node:http";
import { buildReadiness, healthAnswer, type ProbeAnswer } from "@/lib/policy/health";
import { ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import type { RuntimeStatus } from "@/lib/policy/runtime-status";

export interface HealthOptions {
  /** Headers of every answer of this server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the policies in service, null while there is no runtime. */
  readonly status: () => RuntimeStatus | null;
  readonly isDraining: () => boolean;
}

const probe = /^\/health(\/ready)?\/?(?:\?|$)/;

/** Answers probes about vehicles, without the console (`processes.md` section 1); false: not a probe. */
export function createHealth({
  headers,
  status,
  isDraining,
}: HealthOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const send = (request: IncomingMessage, response: ServerResponse, answer: ProbeAnswer) => {
    if (isDraining()) response.shouldKeepAlive = false;
    const length = String(Buffer.byteLength(answer.body));
    response.writeHead(answer.status, { ...headers, ...ownSiteOnly, ...answer.headers, "Content-Length": length });
    response.end(request.method === "HEAD" ? undefined : answer.body);
  };
  return (request, response) => {
    const asked = probe.exec(request.url ?? "");
    if (asked === null || (request.method !== "GET" && request.method !== "HEAD")) return false;
    const readiness = () => buildReadiness(status(), { isStopping: isDraining(), now: Date.now() });
    send(request, response, asked[1] === undefined ? healthAnswer : readiness());
    return true;
  };
}
