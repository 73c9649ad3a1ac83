import { type Answer, type Call, refusal, success } from "@/example-directory/answer";
import { answerApplications, answerApproval } from "@/example-directory/application-routes";
import type { ExampleApps } from "@/example-directory/apps";
import { readRpcSpecification } from "@/example-directory/rpc-specification";
import type { ExampleSeeds, SeedPermission } from "@/example-directory/seeds";
import type { PermissionType } from "@/lib/vocabulary/terms";

const nameOfCountry = new Intl.DisplayNames("en", { type: "region" });
export const countries = "AT AU BE BR CA CH CN CZ DE DK ES FI FR GB GR IE IN IT JP KR MX NL NO PL PT SE TR US"
  .split(" ")
  .map((iso) => ({ iso, name: nameOfCountry.of(iso) ?? iso }));

/** Path of the RPC specification; needs no keys, because it is not part of the app directory (`directory.md` 3.7). */
export const rpcSpecPath = "/rpc-spec/MOBILE_API.xml";

export interface RouteParts {
  readonly root: string;
  readonly seeds: ExampleSeeds;
  readonly apps: ExampleApps;
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface CallKeys {
  readonly publicKey: string | null;
  readonly secretKey: string | null;
}

interface Route {
  readonly method: "GET" | "PUT";
  readonly isOpen?: boolean;
  answer(call: Call): Answer | Promise<Answer>;
}

export function createRoutes(parts: RouteParts): (call: Call, keys: CallKeys) => Promise<Answer> {
  const { root, seeds, apps } = parts;
  let specification: string | null = null;
  const routes = new Map<string, Route>([
    ["application", { method: "GET", answer: (call) => answerApplications(call, apps) }],
    ["application/approval/vendor", { method: "PUT", answer: (call) => answerApproval(call, apps) }],
    // `directory.md` 3.3 and 3.6.
    ["category", { method: "GET", answer: () => success({ categories: seeds.categories }) }],
    ["permission", { method: "GET", answer: (call) => answerPermissions(call, seeds) }],
    ["service", { method: "GET", answer: (call) => answerServices(call, seeds) }],
    ["country", { method: "GET", answer: () => success({ countries }) }],
    [
      "locale",
      {
        method: "GET",
        answer: () => success({ locales: seeds.languages.map(({ id, name }) => ({ code: id, name })) }),
      },
    ],
    [
      rpcSpecPath,
      {
        method: "GET",
        isOpen: true,
        answer: async () => {
          specification ??= await readRpcSpecification(root);
          return { status: 200, type: "application/xml; charset=utf-8", body: specification };
        },
      },
    ],
  ]);
  return async (call, keys) => {
    const route = routes.get(call.path);
    if (route === undefined) return refusal(404, "Not found");
    if (route.method !== call.method)
      return { ...refusal(405, "Method not allowed"), headers: { Allow: route.method } };
    if (route.isOpen !== true && !areRight(keys, parts)) return refusal(401, "Keys missing or wrong");
    return route.answer(call);
  };
}

/** Not constant-time, because only this machine can connect. */
function areRight(sent: CallKeys, right: { readonly publicKey: string; readonly secretKey: string }): boolean {
  return sent.publicKey === right.publicKey && sent.secretKey === right.secretKey;
}

const permissionCategories: readonly (readonly [name: string, type: PermissionType])[] = [
  ["Functions", "RPC"],
  ["Vehicle data", "PARAMETER"],
  ["Remote control modules", "MODULE"],
];

/** `GET permission` (`directory.md` 3.4). Functions of "Base-4" are hidden, because every app may use them. */
function answerPermissions({ query }: Call, seeds: ExampleSeeds): Answer {
  const withParents = query.get("include_parents") === "true";
  const shown = seeds.permissions.filter(
    (permission) => query.get("include_hidden") === "true" || !isHidden(permission),
  );
  const ids = new Map(seeds.permissions.map(({ key }, at) => [key, at + 1]));
  const brief = (key: string) => ({ id: ids.get(key), key, name: key });
  const permission_categories = permissionCategories.map(([name, wanted], at) => ({
    id: at + 1,
    name,
    permissions: shown
      .filter(({ type }) => type === wanted)
      .map((permission) => ({
        ...brief(permission.key),
        type: permission.type,
        function_id: permission.function_id,
        is_hidden: isHidden(permission),
        ...(withParents && { parent_permissions: permission.parents.map(brief) }),
      })),
  }));
  return success({ permission_categories });
}

function isHidden({ default_groups }: SeedPermission): boolean {
  return default_groups.includes("Base-4");
}

/** `GET service` (`directory.md` 3.5). */
function answerServices({ query }: Call, seeds: ExampleSeeds): Answer {
  const withPermissions = query.get("include_permissions") === "true";
  const services = seeds.serviceTypes.map(({ name, display_name, handled_rpcs }, at) => ({
    id: at + 1,
    name,
    display_name,
    ...(withPermissions && { permissions: handled_rpcs.map((rpc) => ({ key: rpc.name })) }),
  }));
  return success({ services });
}
