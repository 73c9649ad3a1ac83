import { BlockList, isIP, isIPv6 } from "node:net";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { commaList, decode, readSetting } from "@/lib/platform/settings/kinds";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");

export function isOwnMachine(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return address === "localhost" || (isIP(address) !== 0 && isLoopback(address));
}

const hostLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const isHostName = (value: string) => value.length <= 253 && value.split(".").every((label) => hostLabel.test(label));

export function host() {
  // Addresses do not exist with a host such as 99999999999, which would be a number.
  return z.string().refine((value) => isIP(value) !== 0 || (isHostName(value) && URL.canParse(`http://${value}`)), {
    error: "must be a host name or an IP address, without scheme and port",
  });
}

function isNetwork(value: string): boolean {
  const [address = "", prefix, ...more] = value.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
  return longest > 0 && more.length === 0 && fits;
}

export function networkList() {
  return commaList(isNetwork, "must be a comma-separated list of IP addresses and networks, such as 10.0.0.0/8");
}

export function ipAddress() {
  return z.string().refine((value) => isIP(value) !== 0, { error: "must be an IP address" });
}

/** An absolute http or https URL without credentials, because such addresses are shown and logged. */
export function httpUrl() {
  return z.string().refine(isHttpUrl, { error: "must be an http or https URL without credentials" });
}

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** A file's URL names an absolute path on this machine. */
export function httpOrFileUrlOrOff() {
  const error = "must be an http or https URL without credentials, file:///path, or off";
  return z.string().refine((value) => value === "off" || isHttpUrl(value) || isFileUrl(value), { error });
}

function isFileUrl(value: string): boolean {
  if (!value.startsWith("file:///")) return false;
  try {
    return fileURLToPath(value) !== "/";
  } catch {
    return false;
  }
}

/** The address of a proxy, optionally with user name and password: a URL, or host and port for http. */
export function proxyUrl() {
  return readSetting((text) => {
    const value = text.includes("://") ? text : `http://${text}`;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isAddress = text.includes("://") || /:\d+\/?$/.test(text);
    const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === "/";
    return isAddress && isProxy && decode(url.username + url.password) !== null ? url.href : null;
  }, "must be the http or https URL of a proxy, without path");
}

export function isProxyExemption(entry: string): boolean {
  const name = entry.replace(/:\d{1,5}$/, "");
  return (
    entry === "*" ||
    isNetwork(entry) ||
    isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0 ||
    isHostName(name.replace(/^\*?\./, ""))
  );
}

export function hostList() {
  return z
    .string()
    .transform((list): readonly string[] =>
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter((one) => one !== ""),
    )
    .default([]);
}

/** A URL to append paths to: no trailing slash, query or fragment. */
export function baseUrl() {
  return httpUrl().refine((value) => !value.endsWith("/") && !/[?#]/.test(value), {
    error: "must not end with a slash and must not have a query or a fragment",
  });
}
