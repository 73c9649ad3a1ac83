import { headerEquals } from "@/lib/auth/equal-secrets";
import { type Answer, type Call, refusal } from "@/example-directory/answer";
import { answerApplications, answerApproval } from "@/example-directory/application-routes";
import { type ExampleApps } from "@/example-directory/apps";
import { type ExampleApprovals } from "@/example-directory/approvals";
import * as lists from "@/example-directory/list-routes";
import { readRpcSpecification } from "@/example-directory/rpc-specification";
import { type ExampleSeeds } from "@/example-directory/seeds";

/** Where the RPC specification is, without keys: it is no part of the directory (`directory.md` 3.7). */
export const rpcSpecPath = "/rpc-spec/MOBILE_API.xml";

export interface RouteParts {
  readonly root: string;
  readonly seeds: ExampleSeeds;
  readonly apps: ExampleApps;
  readonly approvals: ExampleApprovals;
  readonly publicKey: string;
  readonly secretKey: string;
}

/** The values of the two key headers, null for one that is missing. */
export interface CallKeys {
  readonly publicKey: string | null;
  readonly secretKey: string | null;
}

interface Route {
  readonly method: "GET" | "PUT";
  readonly isOpen?: boolean;
  answer(call: Call): Answer | Promise<Answer>;
}

/** The directory's API without its transport: a call in, an answer out. */
export function createRoutes(parts: RouteParts): (call: Call, keys: CallKeys) => Promise<Answer> {
  const { root, seeds, apps, approvals } = parts;
  let specification: string | null = null;
  const routes = new Map<string, Route>([
    ["application", { method: "GET", answer: (call) => answerApplications(call, apps) }],
    ["application/approval/vendor", { method: "PUT", answer: (call) => answerApproval(call, approvals) }],
    ["category", { method: "GET", answer: (call) => lists.answerCategories(call, seeds) }],
    ["permission", { method: "GET", answer: (call) => lists.answerPermissions(call, seeds) }],
    ["service", { method: "GET", answer: (call) => lists.answerServices(call, seeds) }],
    ["country", { method: "GET", answer: lists.answerCountries }],
    ["locale", { method: "GET", answer: (call) => lists.answerLocales(call, seeds) }],
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

/** Looks at both keys in any case, so that the time tells nothing about either. */
function areRight(sent: CallKeys, right: { readonly publicKey: string; readonly secretKey: string }): boolean {
  const isPublicRight = headerEquals(sent.publicKey, right.publicKey);
  const isSecretRight = headerEquals(sent.secretKey, right.secretKey);
  return isPublicRight && isSecretRight;
}
