/**
 * The routes of the specification (`api.md` section 16), written separately: a list generated from the program could not
 * notice what it lacks. Paths follow the prefix `/api/v1`; classes are A (administrators), P (public) and W (the app
 * directory).
 */
export const routeIndex = [
  ["POST", "/login", "P"],
  ["GET", "/about", "A"],
  ["GET", "/applications", "A"],
  ["POST", "/applications/action", "A"],
  ["POST", "/applications/auto", "A"],
  ["POST", "/applications/administrator", "A"],
  ["POST", "/applications/passthrough", "A"],
  ["POST", "/applications/hybrid", "A"],
  ["PUT", "/applications/rpcEncryption", "A"],
  ["PUT", "/applications/rpcencryption", "A"],
  ["PUT", "/applications/service/permission", "A"],
  ["POST", "/applications/priority", "A"],
  ["GET", "/applications/groups", "A"],
  ["PUT", "/applications/groups", "A"],
  ["GET", "/applications/certificate/get", "P"],
  ["POST", "/applications/certificate/get", "P"],
  ["POST", "/applications/certificate", "A"],
  ["GET", "/applications/store", "P", "simple"],
  ["GET", "/applications/store/staging", "P", "simple"],
  ["POST", "/webhook", "W"],
  ["POST", "/staging/policy", "P", "preflight"],
  ["POST", "/production/policy", "P", "preflight"],
  ["GET", "/policy/preview", "A"],
  ["POST", "/policy/apps", "A"],
  ["POST", "/permissions/update", "A"],
  ["GET", "/permissions/unmapped", "A"],
  ["GET", "/groups", "A"],
  ["GET", "/groups/names", "A"],
  ["POST", "/groups", "A"],
  ["POST", "/groups/promote", "A"],
  ["GET", "/messages", "A"],
  ["GET", "/messages/names", "A"],
  ["POST", "/messages", "A"],
  ["POST", "/messages/promote", "A"],
  ["POST", "/messages/update", "A"],
  ["GET", "/module", "A"],
  ["POST", "/module", "A"],
  ["POST", "/module/promote", "A"],
  ["POST", "/module/promoteNoId", "A"],
  ["POST", "/security/private", "A"],
  ["POST", "/security/certificate", "A"],
  ["GET", "/vehicle-data", "A"],
  ["POST", "/vehicle-data", "A"],
  ["POST", "/vehicle-data/promote", "A"],
  ["GET", "/vehicle-data/type", "A"],
] as const satisfies readonly (readonly [method: string, path: string, access: string, cors?: string])[];

export type IndexRow = (typeof routeIndex)[number];
/** The path of the route file: the second spelling is rewritten to the first. */
export const filePathOf = (path: string) => `/api/v1${path.replace("rpcencryption", "rpcEncryption")}`;
