import { BlockList, isIP, isIPv6 } from "node:net";
import { loadProxySettings } from "@/lib/platform/settings";
import { isOwnMachine } from "@/lib/platform/settings/address-kinds";

/** The proxy for a request (`settings.md` E9), with its password if any; null: direct, as always to this machine. */
export function findProxy(url: URL): URL | null {
  const { httpsProxy, httpProxy, noProxy } = loadProxySettings();
  const proxy = url.protocol === "https:" ? httpsProxy : httpProxy;
  if (proxy === null || isOwnMachine(url.hostname) || isExempt(url, noProxy)) return null;
  return new URL(proxy);
}

export function isProxySet(): boolean {
  const { httpsProxy, httpProxy } = loadProxySettings();
  return httpsProxy !== null || httpProxy !== null;
}

export function readProxyAuthorization({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** A proxy error, identified by its code. Its text must name neither the proxy nor what was sent to it. */
export function proxyRefusal(text: string, code = "EPROXY"): Error {
  return Object.assign(new Error(text), { code });
}

function isExempt(url: URL, entries: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return entries.some((entry) => {
    if (entry === "*") return true;
    const isAddress = isIP(entry.split("/")[0] ?? "") !== 0;
    const [, text = entry, entryPort] = isAddress ? [] : (/^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? []);
    if (entryPort !== undefined && entryPort !== port) return false;
    const name = text.replace(/^\*?\./, "");
    return isIP(host) === 0 ? host === name || host.endsWith(`.${name}`) : isInNetwork(host, name);
  });
}

function isInNetwork(address: string, network: string): boolean {
  const [base = "", prefix] = network.split("/");
  const family = isIPv6(base) ? "ipv6" : "ipv4";
  if (isIP(base) === 0 || Number(prefix ?? 0) > (family === "ipv6" ? 128 : 32)) return false;
  const list = new BlockList();
  if (prefix === undefined) list.addAddress(base, family);
  else list.addSubnet(base, Number(prefix), family);
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
