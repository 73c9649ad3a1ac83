import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { referenceTable } from "@/test/support/reference-table";
import type { Rows } from "./rows";
import { snapshotOf } from "./snapshot";

export interface SdlServer {
  readonly url: string;
  /** All requests, e.g. `POST /api/v1/staging/policy`. */
  readonly asked: readonly string[];
  stop(): void;
}

export interface SdlServerOptions {
  readonly rows: Rows;
  /** The member of the module config; null if it generates no certificates. */
  readonly certificate?: string | null;
  readonly change?: ((table: any, environment: string) => void) | undefined;
}

export async function startSdlServer({ rows, certificate = null, change }: SdlServerOptions): Promise<SdlServer> {
  const snapshot = await snapshotOf(rows);
  const certificates = { staging: certificate, production: certificate };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const body: any = await json(request);
      asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
      const environment = request.url === "/api/v1/staging/policy" ? "staging" : "production";
      const { app_policies, module_config } = body.policy_table;
      const policyOptions = { publicBaseUrl: "https://old.example.com", certificates };
      const fullAppIdSupported = module_config.full_app_id_supported === true;
      const wanted = { ids: Object.entries(app_policies), fullAppIdSupported };
      const table = JSON.parse(referenceTable(snapshot, environment, policyOptions, wanted));
      withoutClusterMode(table);
      withEmptyLists(table);
      change?.(table, environment);
      return JSON.stringify({ data: [{ policy_table: table }] });
    };
    answer().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port ?? 0}`, asked, stop: () => void server.close() };
}

/** An sdl_server searches for a parameter of a subscription in the response, where this one has another name. */
function withoutClusterMode({ functional_groupings }: any): void {
  for (const { rpcs } of Object.values<any>(functional_groupings)) {
    for (const name of ["SubscribeVehicleData", "UnsubscribeVehicleData"]) {
      const rpc = rpcs?.[name];
      if (rpc?.parameters) rpc.parameters = rpc.parameters.filter((one: string) => one !== "clusterModeStatus");
    }
  }
}

/** An sdl_server writes `[]` for apps that request no module (to cars: every one), and for data without params. */
function withEmptyLists({ app_policies, vehicle_data }: any): void {
  for (const entry of Object.values<any>(app_policies)) if (entry?.nicknames) entry.moduleType ??= [];
  const fill = (items: any[]) => {
    for (const item of items) fill((item.params ??= []));
  };
  fill(vehicle_data.schema_items);
}
