import { type Role, roles } from "@/lib/vocabulary/roles";
import { aRequest } from "@/test/support/requests";
import { type RouteMethod, routeMethods } from "@/test/support/route-calls";
import { routeRoles } from "@/test/support/route-roles";

export const closedRoutes = routeMethods.flatMap((route) => {
  const least = [routeRoles[route.name] ?? []].flat()[0];
  const role = roles.find((name) => name === least);
  return role === undefined ? [] : [{ ...route, role }];
});

export const reaches = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least);

/** Checks whom a route lets in. Bodies of writes are unreadable, so accepted requests do nothing. */
export async function callUnread({ handler, method, path }: RouteMethod, headers: Record<string, string>) {
  const body = method === "GET" ? undefined : "[";
  const request = aRequest(path, { method, body, headers: { host: "localhost:3000", ...headers } });
  const response = await handler(request, { params: Promise.resolve({}) });
  return { status: response.status, text: await response.text() };
}
