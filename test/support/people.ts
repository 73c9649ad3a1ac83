import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import type { RouteHandler } from "@/app/_api/api-route";
import type { Role } from "@/lib/vocabulary/roles";
import { aRequest, readAnswer } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

const ownOrigin = "http://localhost:3000";

export function usePeople(env: Readonly<Record<string, string>> = {}): void {
  useSettings({
    ...{ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame", SESSION_SECRET: "0123456789abcdef".repeat(2) },
    ...{ TRUST_PROXY_ADDRESSES: "192.0.2.1", AUTH_USER_HEADER: "remote-user", AUTH_ROLES_HEADER: "remote-groups" },
    OIDC_ROLES: "viewer=viewer;editor=editor;publisher=publisher;admin=admin",
    ...env,
  });
  believeClientHeaders();
}

export function asPerson(name: string, role: Role): Record<string, string> {
  return { "remote-user": name, "remote-groups": role, host: "localhost:3000", origin: ownOrigin };
}

export async function callAs(
  headers: Readonly<Record<string, string>>,
  handler: RouteHandler,
  {
    body,
    params,
    path = "/api/v1/x",
    method,
  }: { body?: unknown; params?: Record<string, string>; path?: string; method?: string } = {},
) {
  const request = aRequest(path, { body, headers, ...(method !== undefined && { method }) });
  const { meta, data } = await readAnswer(await handler(request, { params: Promise.resolve(params ?? {}) }));
  return { status: meta.code, message: meta.message, data };
}
