import type { IncomingMessage } from "node:http";
import { environments, type Environment } from "@/lib/labels/vocabulary";

const environmentByPath = new Map(
  environments.flatMap((environment) =>
    ["/api/v1", "/api/1"].flatMap((prefix) =>
      [`${prefix}/${environment}/policy`, `${prefix}/${environment}/policy/`].map(
        (path) => [path, environment] as const,
      ),
    ),
  ),
);

/** The environment of a policy route; null for another path (`api.md` 0.1) or a compressed body. */
export function policyRouteOf({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): Environment | null {
  if (headers["content-encoding"] !== undefined) return null;
  const query = url.indexOf("?");
  return environmentByPath.get(query === -1 ? url : url.slice(0, query)) ?? null;
}
