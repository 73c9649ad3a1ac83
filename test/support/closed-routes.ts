import { needOf } from "@/lib/routes/route-facts";
import { aRequest } from "@/test/support/requests";
import { type RouteMethod, routeMethods } from "@/test/support/route-calls";

/** Those that ask for a role, with what they need. */
export const closedRoutes = routeMethods.flatMap((route) => {
  const need = needOf(route.facts);
  return need === null ? [] : [{ ...route, need }];
});

/** Asks a route whom it lets in: no write has a body that can be read, so what is let through does nothing. */
export async function callUnread({ handler, method, path }: RouteMethod, headers: Record<string, string>) {
  const body = method === "GET" ? undefined : "[";
  const request = aRequest(path, { method, body, headers: { host: "localhost:3000", ...headers } });
  const response = await handler(request, { params: Promise.resolve({}) });
  return { status: response.status, text: await response.text() };
}
