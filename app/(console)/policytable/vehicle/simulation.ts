import { maxAppsInAddress } from "@/app/(console)/policytable/app-list";
import type { TableSource } from "@/app/(console)/policytable/page-query";
import type { AppReasonsJson, SimulationAnswer } from "@/lib/policy/why/answer-schema";
import { newestCore, type CoreVersion } from "@/lib/vocabulary/head-units";
import { environments } from "@/lib/vocabulary/terms";
import type { ChosenApp } from "../sources";

export const simulateRoute = "/api/v1/policy/simulate";

export interface VehicleForm {
  readonly how: "apps" | "request";
  readonly apps: readonly ChosenApp[];
  readonly request: string;
  readonly of: TableSource;
  readonly ids: "full" | "short";
  readonly headUnit: CoreVersion;
}

export type SimulationBody = Readonly<Record<string, unknown>>;

export interface Run {
  readonly body: SimulationBody;
  readonly of: TableSource;
}

export function buildBody(form: VehicleForm): { readonly body: SimulationBody } | { readonly problem: string } {
  const source = sourceMember(form.of);
  // A captured request without `full_app_id_supported` marks itself as Core 4.5.
  const headUnit = form.headUnit === newestCore ? {} : { head_unit: form.headUnit };
  if (form.how === "apps") {
    const apps = form.apps.map(({ uuid }) => uuid);
    return { body: { ...source, ...headUnit, apps, full_app_id_supported: form.ids === "full" } };
  }
  const request = readRequest(form.request);
  return "problem" in request ? request : { body: { ...source, ...headUnit, request: request.value } };
}

export function sourceMember(of: TableSource): SimulationBody {
  const environment = environments.find((name) => name === of);
  return environment === undefined ? { release: Number(of) } : { environment };
}

export function readRequest(text: string): { readonly value: object } | { readonly problem: string } {
  if (text.trim() === "") return { problem: "Paste a shortened policy table or choose a file." };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value };
    return { problem: "The request must be a JSON object." };
  } catch (error) {
    return { problem: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Pasted requests and long lists of apps don't fit into the address. */
export function buildAddress({ how, apps, of, ids, headUnit }: VehicleForm): string {
  const query = new URLSearchParams({ tab: "vehicle", of });
  if (how === "apps" && apps.length > 0 && apps.length <= maxAppsInAddress) {
    query.set("apps", apps.map(({ uuid }) => uuid).join(","));
  }
  if (ids === "short") query.set("ids", ids);
  if (headUnit !== newestCore) query.set("head_unit", headUnit);
  return `/policytable?${query.toString()}`;
}

/** Asks a vehicle worker for an environment, the simulator for a release. `origin`: where head units send requests. */
export function buildCurl({ request }: Pick<SimulationAnswer, "request">, of: TableSource, origin: string): string {
  const source = sourceMember(of);
  const [path, body] =
    "environment" in source
      ? [`/api/v1/${of}/policy`, wrap(request)]
      : [simulateRoute, { ...source, request: unwrap(request) }];
  const quoted = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return `curl -sS '${origin}${path}' -H 'Content-Type: application/json' -d '${quoted}'`;
}

const isWrapped = (value: unknown): value is { policy_table: unknown } =>
  typeof value === "object" && value !== null && "policy_table" in value;
const wrap = (request: unknown) => (isWrapped(request) ? request : { policy_table: request });
const unwrap = (request: unknown) => (isWrapped(request) ? request.policy_table : request);

export function titleOf({ app, id }: Pick<AppReasonsJson, "app" | "id">): string {
  return app?.name ?? id;
}
