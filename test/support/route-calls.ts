import { routeSections } from "@/app/_api/routes";
import { factsOf, type RouteFacts } from "@/app/_api/route-facts";
import { documentedMethods, type RoutePath } from "@/app/_api/openapi/build-document";
import type { RouteHandler } from "@/app/_api/api-route";
import { aRequest, readAnswer } from "@/test/support/requests";
import { sampleRequest } from "@/test/support/vehicle";

export interface RouteMethod {
  readonly name: string;
  readonly method: (typeof documentedMethods)[number];
  readonly path: string;
  readonly handler: RouteHandler;
  readonly facts: RouteFacts;
}

const allPaths: readonly RoutePath[] = routeSections.flatMap(({ routes }) => routes);

export const routeMethods: readonly RouteMethod[] = allPaths.flatMap(({ path, handlers }) =>
  documentedMethods.flatMap((method) => {
    const facts = factsOf(handlers[method]);
    return facts === null
      ? []
      : [{ name: `${method} ${path}`, method, path, facts, handler: handlers[method] as RouteHandler }];
  }),
);

export const apiMethods = routeMethods.filter(({ facts }) => facts.form === "envelope");

export function findRoute(name: string): RouteMethod {
  const found = routeMethods.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no route ${name}`);
  return found;
}

export async function callRoute(
  name: string,
  { params = {}, query = "", body }: Omit<ValidCall, "body"> & { readonly body?: object } = {},
) {
  const { handler, method } = findRoute(name);
  const request = aRequest(`/api/v1/x?${query}`, { method, body });
  const { meta, data } = await readAnswer(await handler(request, { params: Promise.resolve(params) }));
  return { status: meta.code, message: meta.message, data };
}

/** Routes that send requests to another server; runs with very many requests leave them out. */
export const askingOthers: ReadonlySet<string> = new Set([
  "POST /api/v1/messages/update",
  "POST /api/v1/permissions/update",
  "POST /api/v1/ui/sync",
]);

/** Routes that need more than a test in one process starts: they may fail, but only with an envelope. */
export const needingServer: ReadonlySet<string> = new Set(["POST /api/v1/ui/sync"]);

/** The route that only a second person may call; everybody else is refused. */
const needingPerson = "POST /api/v1/releases/approvals/{id}";

/** Commands for a rollout, without which every other route answers. */
const needingRollout = "POST /api/v1/rollouts/current/";

export function mayFail(name: string, status: number): boolean {
  if (status === 409 && name.startsWith(needingRollout)) return true;
  return (status >= 500 && needingServer.has(name)) || (status === 403 && name === needingPerson);
}

export interface ValidCall {
  /** Values for the braces in its path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Record<string, unknown>;
}

export interface KnownThings {
  readonly app: { readonly id: number; readonly uuid: string; readonly service: string; readonly permission: string };
  readonly group: string;
  readonly category: string;
  readonly moduleConfig: Record<string, unknown>;
  readonly token: number;
  /** PEM texts. */
  readonly pair: { readonly certificate: string; readonly privateKey: string };
}

const level = { value: "FULL", selected: true };
const rpc = { name: "Show", selected: true, hmi_levels: [level], parameters: [{ key: "gps", selected: true }] };
const aGroup = { name: "Tried-1", is_default: false, rpcs: [rpc], description: null, user_consent_prompt: null };
const english = { language_id: "en-us", selected: true, tts: "a", line1: "b", line2: null, text_body: "c", label: "d" };
const aTree = {
  name: "cabinScent",
  key: "OEM_SCENT",
  type: "Struct",
  params: [{ name: "level", key: "OEM_LEVEL", type: "Integer", mandatory: true, min_value: 0, max_value: "10" }],
};

const pending = { approval_status: "PENDING", is_blacklisted: false, denial_message: null };
const automatic = (isOn: boolean) => ({ is_auto_approved_enabled: isOn });

const aDocument = {
  format: "open-policy/1",
  groups: [{ name: "Tried-2", rpcs: [{ name: "Show", hmi_levels: ["FULL"], parameters: ["gps"] }] }],
};

export const knownSession = "session-901";

/** Successful requests for every route, in this order, repeatable any number of times. */
export function validCalls({ app, group, category, moduleConfig, pair, token }: KnownThings) {
  const { id, uuid } = app;
  const table = JSON.parse(sampleRequest("1-app"));
  const none: readonly ValidCall[] = [{}];
  const views: readonly ValidCall[] = [{ query: "environment=staging" }, { query: "limit=2&sort=-id&search=a" }];
  const fleet: readonly ValidCall[] = [{}, { query: "step=day&environment=staging&country=DE" }];
  const calls: Readonly<Record<string, readonly ValidCall[]>> = {
    "POST /api/v1/staging/policy": [{ body: table }],
    "POST /api/v1/production/policy": [{ body: table }],
    "GET /api/v1/applications/store": [{}, { query: "transport_type=websocket&min_rpc_version=8.0" }],
    "GET /api/v1/applications/store/staging": none,
    "GET /api/v1/applications": [
      {},
      { query: `id=${id}` },
      { query: `uuid=${uuid}` },
      { query: "approval_status=ACCEPTED&get_blacklist=false" },
      { query: "limit=2&search=a&sort=-name" },
      { query: "id=-1" },
    ],
    "POST /api/v1/applications/action": [
      { body: { id, uuid, approval_status: "STAGING", denial_message: "because", blacklist: false } },
    ],
    "POST /api/v1/applications/auto": [{ body: { uuid, is_auto_approved_enabled: true } }],
    "POST /api/v1/applications/administrator": [{ body: { uuid, is_administrator_app: true } }],
    "POST /api/v1/applications/passthrough": [{ body: { uuid, allow_unknown_rpc_passthrough: true } }],
    "POST /api/v1/applications/hybrid": [{ body: { uuid, hybrid_preference: "CLOUD" } }],
    "POST /api/v1/applications/priority": [{ body: { uuid, priority: "NORMAL" } }],
    "PUT /api/v1/applications/rpcEncryption": [{ body: { id: String(id), encryption_required: true } }],
    "PUT /api/v1/applications/service/permission": [
      { body: { id, is_selected: true, service_type_name: app.service, permission_name: app.permission } },
    ],
    "GET /api/v1/applications/groups": [{ query: `app_id=${id}` }, { query: "is_proprietary_group=false" }],
    "PUT /api/v1/applications/groups": [{ body: { app_id: id, is_selected: true, property_name: group } }],
    "GET /api/v1/groups": [{}, ...views, { query: "template=true" }, { query: "id=1" }, { query: "id=0" }],
    "GET /api/v1/groups/names": none,
    "POST /api/v1/groups": [{ body: aGroup }, { body: { ...aGroup, is_deleted: true } }, { body: aGroup }],
    "POST /api/v1/groups/promote": [{ body: { id: [1, "2"], force: true } }, { body: { id: 3 } }],
    "GET /api/v1/messages": [{}, ...views, { query: "template=1" }, { query: "id=1" }, { query: "id=0" }],
    "GET /api/v1/messages/names": none,
    "POST /api/v1/messages": [
      { body: { messages: [{ message_category: category, is_deleted: false, languages: [english] }] } },
    ],
    "POST /api/v1/messages/promote": [{ body: { id: [1], force: true } }],
    "POST /api/v1/messages/update": none,
    "GET /api/v1/module": [{}, { query: "environment=staging" }, { query: "id=1" }, { query: "id=0" }],
    "POST /api/v1/module": [{ body: { ...moduleConfig, timeout_after_x_seconds: 61 } }],
    "POST /api/v1/module/promote": [{}, { body: { force: true } }],
    "POST /api/v1/module/promoteNoId": none,
    "POST /api/v1/vehicle-data": [{ body: aTree }],
    "GET /api/v1/vehicle-data": [{}, ...views, { query: "template=true" }, { query: "id=0" }],
    "GET /api/v1/vehicle-data/type": none,
    "POST /api/v1/vehicle-data/promote": [{ body: { force: true } }],
    "GET /api/v1/releases/changes": [{}, { query: "items=group:Tried-1&items=module_config:" }],
    "GET /api/v1/releases/changes/items": [{}, { query: "items=group:Tried-1" }],
    "POST /api/v1/releases/changes/items": [{}, { body: { items: ["group:Tried-1"] } }],
    "GET /api/v1/releases/changes/apps": [{}, { query: "items=group:Tried-1&from=100" }],
    "POST /api/v1/releases/changes/apps": [{ body: { items: ["group:Tried-1"], from: 100 } }],
    "GET /api/v1/releases/changes/apps/{uuid}": [{ params: { uuid } }, { params: { uuid }, query: "items=app:x" }],
    "POST /api/v1/releases/changes": [{}, { body: { items: ["group:Tried-1", "module_config:"] } }],
    "POST /api/v1/releases/changes/apps/{uuid}": [{ params: { uuid }, body: { items: ["app:x"] } }],
    "POST /api/v1/releases": [{ body: { items: "all", force: true, reason: "because", dry_run: true } }],
    "POST /api/v1/releases/{n}/return": [
      { params: { n: "1" }, body: { name: "Back", force: true, reason: "because", dry_run: true } },
    ],
    "GET /api/v1/permissions/unmapped": [{}, ...views],
    "POST /api/v1/permissions/update": none,
    "GET /api/v1/fleet/adoption": fleet,
    "GET /api/v1/fleet/apps": fleet,
    "GET /api/v1/fleet/groups": fleet,
    "GET /api/v1/fleet/head-units": fleet,
    "GET /api/v1/fleet/requests": fleet,
    "GET /api/v1/exchange": [{}, { query: "environment=staging" }],
    "POST /api/v1/exchange": [{ body: { document: aDocument, dry_run: true } }, { body: { document: aDocument } }],
    "GET /api/v1/policy/preview": [{}, { query: "environment=staging" }],
    "POST /api/v1/policy/apps": [{ body: table }, { query: "environment=staging", body: table }],
    "POST /api/v1/policy/simulate": [
      { body: { apps: [uuid, "unknown"] } },
      { body: { request: table, environment: "staging" } },
      { body: { request: { module_config: { full_app_id_supported: true } }, release: 1 } },
    ],
    "GET /api/v1/policy/matrix": [{ query: `app=${uuid}&version=${id}` }, { query: `app=${uuid}&environment=staging` }],
    "POST /api/v1/security/private": [{ body: { options: { keyBitsize: 1024 } } }],
    "POST /api/v1/security/certificate": [
      { body: { options: { clientKey: pair.privateKey, country: "DE", organization: "Test", days: "3" } } },
    ],
    "POST /api/v1/applications/certificate": [
      { body: { options: { app_uuid: uuid, clientKey: pair.privateKey, certificate: pair.certificate } } },
    ],
    "GET /api/v1/applications/certificate/get": [{ query: `AppId=${uuid}` }],
    "POST /api/v1/applications/certificate/get": [{ body: { appId: uuid } }],
    "POST /api/v1/webhook": [{ body: { entity: "application", action: "BLACKLIST", uuid: "tried" } }],
    "POST /api/v1/login": [{ body: { password: "open sesame" } }],
    "POST /api/v1/logout": none,
    "GET /api/v1/me": none,
    "GET /api/v1/tokens": none,
    "POST /api/v1/tokens": [
      { body: { name: "Tried", role: "editor" } },
      { body: { name: "Tried for ever", role: "admin", expires_in_days: null } },
    ],
    "DELETE /api/v1/tokens/{id}": [{ params: { id: String(token) } }],
    "GET /api/v1/sessions": [{ query: "all=true" }],
    "DELETE /api/v1/sessions": none,
    "DELETE /api/v1/sessions/{id}": [{ params: { id: knownSession } }],
    "GET /api/v1/ui/applications/choices": none,
    "GET /api/v1/ui/applications/review": [{ query: `id=${id}` }],
    "POST /api/v1/ui/applications/bulk/preview": [
      { body: { decision: "block", uuids: [uuid, "unknown"] } },
      { body: { decision: "accept", filter: { state: "all", q: "a" } } },
      { body: { decision: "auto_on", filter: { state: "all" } } },
    ],
    "POST /api/v1/ui/applications/bulk": [
      { body: { decision: "limit", reason: "because", items: [{ id, seen: pending }] } },
      { body: { decision: "auto_off", items: [{ id, seen: automatic(true) }] } },
    ],
    "POST /api/v1/ui/applications/bulk/undo": [
      { body: { items: [{ id, seen: automatic(false), target: automatic(true) }] } },
    ],
    "GET /api/v1/ui/counters": none,
    "GET /api/v1/ui/overview": none,
    "GET /api/v1/ui/session": none,
    "POST /api/v1/ui/session": none,
    "GET /api/v1/ui/search": [{ query: "q=speed" }, { query: "q=a" }, { query: "q=%20in%20" }],
    "GET /api/v1/ui/permissions/use": [
      { query: "rpc=Alert" },
      { query: "rpc=GetVehicleData&parameter=gps&apps=production&q=a&after=50" },
    ],
    "GET /api/v1/ui/records/{family}": [
      { params: { family: "group" }, query: `key=${encodeURIComponent(group)}` },
      { params: { family: "vehicle_data" }, query: "id=1&gone=true" },
      { params: { family: "module_config" } },
    ],
    "POST /api/v1/ui/groups/effect": [{ body: aGroup }, { body: { ...aGroup, is_deleted: true } }],
    "GET /api/v1/ui/groups/promotion/effect": [{}, { query: "id=1,2" }],
    "GET /api/v1/releases": [{}, { query: "limit=1&cursor=3&kind=first" }],
    "GET /api/v1/releases/{n}": [{ params: { n: "1" } }],
    "GET /api/v1/releases/freeze": none,
    "GET /api/v1/rollouts/current": none,
    "POST /api/v1/rollouts/current/advance": none,
    "POST /api/v1/rollouts/current/cancel": none,
    "POST /api/v1/rollouts/current/finish": none,
    "POST /api/v1/rollouts/current/pause": none,
    "POST /api/v1/rollouts/current/resume": none,
    "GET /api/v1/releases/scheduled": none,
    "PATCH /api/v1/releases/scheduled/{id}": [
      { params: { id: "901" }, body: { at: new Date(Date.now() + 86_400_000).toISOString() } },
    ],
    "DELETE /api/v1/releases/scheduled/{id}": [{ params: { id: "902" } }],
    "GET /api/v1/releases/approvals": none,
    "GET /api/v1/releases/approvals/{id}": [{ params: { id: "901" } }],
    "POST /api/v1/releases/approvals/{id}": [{ params: { id: "901" } }],
    "POST /api/v1/releases/approvals/{id}/reject": [{ params: { id: "901" }, body: { reason: "Not before winter" } }],
    "DELETE /api/v1/releases/approvals/{id}": [{ params: { id: "902" } }],
    "PUT /api/v1/releases/freeze": [{ body: { reason: null } }],
    "GET /api/v1/releases/{n}/apps": [{ params: { n: "1" } }, { params: { n: "1" }, query: "of=return&from=100" }],
    "GET /api/v1/releases/{n}/apps/{uuid}": [{ params: { n: "1", uuid } }],
    "GET /api/v1/releases/{n}/diff": [{ params: { n: "1" } }, { params: { n: "1" }, query: "to=staging" }],
    "GET /api/v1/history/{family}/{key}": [
      { params: { family: "group", key: group } },
      { params: { family: "app", key: uuid } },
      { params: { family: "module_config", key: "-" }, query: "limit=1" },
    ],
    "GET /api/v1/history/{family}/{key}/diff": [
      { params: { family: "app", key: uuid }, query: `from=${id}&to=${id}` },
      { params: { family: "module_config", key: "-" }, query: "from=1&to=1" },
    ],
    // The content of the module config has changed by now.
    "POST /api/v1/history/{family}/{key}/restore": [
      { params: { family: "module_config", key: "-" }, body: { id: 1, base_id: null } },
    ],
    "GET /api/v1/about": none,
    "POST /api/v1/ui/sync": none,
    "GET /api/v1/audit/verify": none,
    "GET /api/v1/audit": [{}, { query: "limit=5&cursor=100&target=group:Tried-1" }, { query: "person=Ada&release=1" }],
  };
  return calls;
}

export async function findKnownThings(
  ask: (pathAndQuery: string) => Promise<any>,
  { pair, token }: Pick<KnownThings, "pair" | "token">,
): Promise<KnownThings> {
  const { applications } = await ask("/api/v1/applications");
  const app = applications.find(({ services }: any) => services[0]?.permissions.length > 0);
  const { groups } = await ask("/api/v1/groups");
  const { messages } = await ask("/api/v1/messages");
  const { module_configs } = await ask("/api/v1/module");
  const [service] = app.services;
  return {
    app: { id: app.id, uuid: app.uuid, service: service.name, permission: service.permissions[0].name },
    group: groups[0].name,
    category: messages[0].message_category,
    moduleConfig: module_configs[0],
    pair,
    token,
  };
}
