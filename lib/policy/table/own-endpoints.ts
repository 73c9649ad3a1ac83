import { storedEndpoints, type StoredEndpoint } from "@/lib/vocabulary/terms";

type Addresses = Readonly<Record<StoredEndpoint, string>>;

interface StoredAddresses {
  readonly endpoints: Addresses;
  /** Endpoints with this server's own URL; undefined in records of earlier versions. */
  readonly ownEndpoints?: readonly StoredEndpoint[];
}

/** Paths of this server's own URLs below the public base URL, as in the first data. */
export const ownPaths: Readonly<Partial<Record<StoredEndpoint, string>>> = {
  "0x04": "/api/v1/softwareUpdate",
  queryAppsUrl: "/api/v1/queryApps",
  lock_screen_icon_url: "/images/lock-screen.png",
};

/** Unreachable for vehicles: only the first start of this server can have set it. */
const loopback = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** Endpoints with this server's own URL below a public base URL; they follow when that changes (rule M4). */
export function listOwnEndpoints(endpoints: Addresses, publicBaseUrl: string): StoredEndpoint[] {
  return storedEndpoints.filter((name) => {
    const path = ownPaths[name];
    return path !== undefined && endpoints[name] === `${publicBaseUrl}${path}`;
  });
}

export function followBaseUrl({ endpoints, ownEndpoints }: StoredAddresses, publicBaseUrl: string): Addresses {
  const isOwn = (name: StoredEndpoint, path: string) => {
    if (ownEndpoints !== undefined) return ownEndpoints.includes(name);
    const address = endpoints[name];
    return address.endsWith(path) && loopback.test(address.slice(0, -path.length));
  };
  const followed = { ...endpoints };
  for (const name of storedEndpoints) {
    const path = ownPaths[name];
    if (path !== undefined && isOwn(name, path)) followed[name] = `${publicBaseUrl}${path}`;
  }
  return followed;
}
