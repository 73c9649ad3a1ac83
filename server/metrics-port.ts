import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { bindPort } from "@/lib/platform/listen/bind";
import { serve } from "@/lib/platform/listen/listen";
import { log } from "@/lib/platform/log";
import type { Metrics } from "@/server/metrics";
import { isLoopback } from "@/lib/platform/settings/checks";

export interface MetricsPort {
  readonly port: number;
  readonly address: string;
}

/** Serves `GET /metrics` on its own port (`operations.md` O3). Throws one sentence if the port is taken. */
export async function openMetricsPort(at: MetricsPort, { collect }: Pick<Metrics, "collect">): Promise<Server[]> {
  const isOwnMachine = isLoopback(at.address);
  const names = { port: "METRICS_PORT", address: "METRICS_ADDRESS" };
  const plain = bindPort({ ...at, names });
  return serve((request, response) => void answer(request, response), { plain, secure: null });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = refuse(request, isOwnMachine);
    if (refused !== null) {
      response.writeHead(refused.status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${refused.sentence}\n`);
      return;
    }
    try {
      const { text, contentType } = await collect();
      response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" }).end(text);
    } catch (error) {
      log.error({ err: error }, "the figures cannot be collected");
      response.writeHead(500).end();
    }
  }
}

/** DNS rebinding: another site's page can reach this machine under a name that resolves to it. */
function refuse({ method, url, headers }: IncomingMessage, isOwnMachine: boolean) {
  if (isOwnMachine && !/^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(headers.host ?? "")) {
    return { status: 421, sentence: "This server does not have that name" };
  }
  if (url?.split("?")[0] !== "/metrics") return { status: 404, sentence: "Only /metrics is served here" };
  if (method !== "GET" && method !== "HEAD") return { status: 405, sentence: "Use GET" };
  return null;
}
