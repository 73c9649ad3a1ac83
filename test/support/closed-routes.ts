import { type Role, roles } from "@/lib/labels/roles";
import { aRequest } from "@/test/support/requests";
import { type RouteMethod, routeMethods } from "@/test/support/route-calls";
import { routeRoles } from "@/test/support/route-roles";

/** Those that ask for a role, with the one that the table of routes names. */
export const closedRoutes = routeMethods.flatMap((route) => {
  const least = [routeRoles[route.name] ?? []].flat()[0];
  const role = roles.find((name) => name === least);
  return role === undefined ? [] : [{ ...route, role }];
});

/** Whether somebody of one role may do what is left to another. */
export const reaches = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least);

/** Asks a route whom it lets in: no write has a body that can be read, so what is let through does nothing. */
export async function callUnread({ handler, method, path }: RouteMethod, headers: Record<string, string>) {
  const body = method === "GET" ? undefined : "[";
  const request = aRequest(path, { method, body, headers: { host: "localhost:3000", ...headers } });
  const response = await handler(request, { params: Promise.resolve({}) });
  return { status: response.status, text: await response.text() };
}
