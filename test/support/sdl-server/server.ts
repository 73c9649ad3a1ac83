/** A small server that answers as an sdl_server does which has these rows (`api.md`). */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import type { Environment } from "@/lib/words/vocabulary";
import { referenceSegment, referenceTable } from "@/test/support/reference-table";
import { recordAnswers } from "./records";
import { appAnswers } from "./apps";
import type { Rows } from "./rows";
import { snapshotOf } from "./snapshot";

export interface SdlServer {
  readonly url: string;
  /** All that was asked for, e.g. `GET /groups?id=3`. */
  readonly asked: readonly string[];
  stop(): void;
}

export interface SdlServerOptions {
  readonly rows: Rows;
  /** A certificate with which containers of apps are told; null: the server makes none. */
  readonly certificate: string | null;
  readonly password?: string;
  /** Changes what is answered. */
  readonly change?: (path: string, data: any) => void;
}

export async function startSdlServer(options: SdlServerOptions): Promise<SdlServer> {
  const { rows, certificate, password, change = () => undefined } = options;
  const snapshot = await snapshotOf(rows);
  const policyOptions = { publicBaseUrl: "https://old.example.com", certificates: { staging: null, production: null } };
  const asked: string[] = [];
  const answer = (path: string, query: URLSearchParams, body: any): unknown => {
    const inQuery = query.get("environment")?.toLowerCase() === "staging" ? "staging" : "production";
    const table = (environment: Environment, ids: object, isWhole: boolean) => {
      const sought = Object.entries(ids).map(([id, sent]) => [id, sent] as const);
      const request = {
        ids: sought,
        fullAppIdSupported: body?.policy_table?.module_config?.full_app_id_supported === true,
      };
      const text = isWhole
        ? referenceTable(snapshot, environment, policyOptions, request)
        : referenceSegment(snapshot, environment, request);
      return [{ policy_table: JSON.parse(text) }];
    };
    switch (path) {
      case "/policy/preview":
        return table(inQuery, {}, true);
      case "/policy/apps":
        return table(inQuery, body.policy_table.app_policies, false);
      case "/staging/policy":
        return table("staging", body.policy_table.app_policies, true);
      case "/production/policy":
        return table("production", body.policy_table.app_policies, true);
      default: {
        const found = appAnswers(rows, certificate, path, query);
        return found === undefined ? recordAnswers(rows, certificate !== null, path, query) : found;
      }
    }
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const path = url.pathname.replace("/api/v1", "");
      asked.push(`${request.method ?? ""} ${path}${url.search}`);
      const isPublic = /^\/(staging|production)\/policy$|certificate\/get$/.test(path);
      const isKnown = isPublic || password === undefined || request.headers["basic-auth-password"] === password;
      const { code, data } = isKnown ? tryAnswer(() => answer(path, url.searchParams, body)) : { code: 401, data: {} };
      if (code === 200) change(path, data);
      const meta = { request_id: "1", code, message: code === 200 ? null : `no: ${code}` };
      response.writeHead(code, { "Content-Type": "application/json" }).end(JSON.stringify({ meta, data }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port ?? 0}`, asked, stop: () => void server.close() };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.method !== "POST") return {};
  return json(request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request);
}

/** What there is not is null, and unknown paths undefined. */
function tryAnswer(answer: () => unknown): { readonly code: number; readonly data: unknown } {
  try {
    const data = structuredClone(answer());
    return data === undefined ? { code: 404, data: {} } : data === null ? { code: 400, data: {} } : { code: 200, data };
  } catch {
    return { code: 500, data: {} };
  }
}
