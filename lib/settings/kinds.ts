import { isIP } from "node:net";
import { z } from "zod";

/*
 * The kinds of values a setting can have. Every kind takes the raw text of the environment; its message completes the
 * sentence "<NAME> …" and never repeats the value, which may be a secret (rule E4).
 */

/** A kind that may be left out: `null` then. */
export function orNull<T extends z.ZodType<unknown, string>>(kind: T) {
  return kind.optional().transform((value) => value ?? null);
}

/** Rule E2: `true` or `false`, any case, blanks around it ignored; nothing but blanks counts as not set. */
export function flag(fallback: boolean) {
  return z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(["true", "false", ""], { error: "must be true or false" }))
    .transform((text) => (text === "" ? fallback : text === "true"))
    .default(fallback);
}

/** Rule E3: decimal digits whose number lies from `min` to `max`, both included. */
export function integer(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

/** A number of lanes, or `auto`: as many as the machine has cores, less one for the rest. */
export function lanes() {
  return z.union([z.literal("auto"), integer(1, 64)], { error: "must be auto or an integer from 1 to 64" });
}

/** Any text of `min` to `max` characters. */
export function text(min: number, max = Infinity) {
  const error = max === Infinity ? `must have at least ${min} characters` : `must have ${min} to ${max} characters`;
  return z.string().refine((value) => value.length >= min && value.length <= max, { error });
}

/** One of some words, spelled exactly so. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of: ${words.join(", ")}` });
}

/** Rule E7: a name inside a fixed folder. */
export function fileName() {
  return z.string().refine((value) => !/[/\\\0]/.test(value) && !value.includes(".."), {
    error: "must be a file name without path separators and without ..",
  });
}

const hostLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** A host name or an IP address; an IPv6 address without brackets. */
export function host() {
  const isHostName = (value: string) => value.length <= 253 && value.split(".").every((label) => hostLabel.test(label));
  return z.string().refine((value) => isIP(value) !== 0 || isHostName(value), {
    error: "must be a host name or an IP address, without scheme and port",
  });
}

/** Comma-separated IP addresses and networks in CIDR notation; blanks around them and empty parts are dropped. */
export function networkList() {
  const isNetwork = (value: string) => {
    const [address = "", prefix, ...more] = value.split("/");
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return (
      longest > 0 &&
      more.length === 0 &&
      (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest))
    );
  };
  return z
    .string()
    .transform((list) =>
      list
        .split(",")
        .map((network) => network.trim())
        .filter((network) => network !== ""),
    )
    .refine((list) => list.every(isNetwork), {
      error: "must be a comma-separated list of IP addresses and networks, such as 10.0.0.0/8",
    })
    .default([]);
}

export function ipAddress() {
  return z.string().refine((value) => isIP(value) !== 0, { error: "must be an IP address" });
}

/** Headers with a meaning of their own, to clients, proxies, Next or this server. */
const takenHeader =
  /^(?:accept.*|authorization|basic-auth-password|connection|content-.*|cookie|expect|forwarded|host|if-.*|next-.*|origin|public_key|referer|rsc|sec-.*|te|transfer-encoding|upgrade|user-agent|x-client-address|x-display-name|x-forwarded-(?:for|host|port|proto)|x-middleware-.*|x-nonce|x-page-path)$/;

/** The name of a request header, in lower case whatever its case was, and none that means something else here. */
export function headerName() {
  return z
    .string()
    .toLowerCase()
    .regex(/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/, { error: "must be the name of a header, such as X-Forwarded-User" })
    .refine((name) => !takenHeader.test(name), { error: "must not be a header that means something else" });
}

/**
 * Headers as OpenTelemetry writes them: `name=value` with commas between, values percent-encoded. Not set: none.
 */
export function headerList() {
  const error = "must have the form name=value,name=value with percent-encoded values";
  return z
    .string()
    .transform((list, context): Readonly<Record<string, string>> => {
      const headers: Record<string, string> = {};
      for (const part of list.split(",").filter((one) => one.trim() !== "")) {
        const [, name = "", value = ""] = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(.*?)\s*$/i.exec(part) ?? [];
        const decoded = decode(value);
        if (name === "" || decoded === null) {
          context.addIssue({ code: "custom", message: error });
          return z.NEVER;
        }
        headers[name.toLowerCase()] = decoded;
      }
      return headers;
    })
    .default({});
}

/** Null when it cannot be decoded, or holds what no header may. */
function decode(value: string): string | null {
  try {
    const text = decodeURIComponent(value);
    return /^[\t\x20-\x7e]*$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** A part of a whole, from 0 to 1. */
export function share() {
  const error = "must be a number from 0 to 1, such as 0.001";
  return z
    .string()
    .regex(/^(?:[01](?:\.\d*)?|\.\d+)$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value <= 1, { error });
}

/** A key of 32 bytes, in Base64 or as 64 hexadecimal digits. */
export function encryptionKey() {
  return z
    .string()
    .transform((value) => Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? "hex" : "base64"))
    .refine((key) => key.length === 32, {
      error: "must be a key of 32 bytes in Base64 (openssl rand -base64 32), or 64 hexadecimal digits",
    });
}

/** An absolute http or https address. Credentials in it are refused: such addresses are shown and logged. */
export function httpUrl() {
  return z.string().refine(
    (value) => {
      if (!URL.canParse(value)) return false;
      const { protocol, username, password } = new URL(value);
      return /^https?:$/.test(protocol) && username === "" && password === "";
    },
    { error: "must be an http or https URL without credentials" },
  );
}

/** The address of a proxy, which may hold a user name and a password; without a scheme it is http, as is usual. */
export function proxyUrl() {
  const error = "must be the http or https URL of a proxy, without path";
  return z.string().transform((text, context): string => {
    const value = text.includes("://") ? text : `http://${text}`;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === "/";
    if (isProxy && !/%(?![0-9a-f]{2})/i.test(url.username + url.password)) return url.href;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

/** Names of hosts and networks with commas or blanks between, in lower case. What they mean is up to who uses them. */
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

/** An address to which paths are appended: no slash at the end, no query, no fragment. */
export function baseUrl() {
  return httpUrl().refine((value) => !value.endsWith("/") && !/[?#]/.test(value), {
    error: "must not end with a slash and must not have a query or a fragment",
  });
}

/** One e-mail address. Blanks and line breaks would let a setting write mail headers. */
export const emailAddress = z.string().regex(/^[^\s@,;<>]+@[^\s@,;<>]+$/, { error: "must be an e-mail address" });

/** Who a message is from: an address, alone or as `Name <address>`. */
export interface Sender {
  /** Null: only an address was given. */
  readonly name: string | null;
  readonly address: string;
}

/** A sender; quotes around the name are dropped. Line breaks would let a setting write mail headers. */
export function sender() {
  return z.string().transform((value, context): Sender => {
    const named = /^\s*(?:"([^"\p{Cc}]*)"|([^"<>\p{Cc}]*?))\s*<([^<>]*)>\s*$/u.exec(value);
    const address = emailAddress.safeParse(named?.[3] ?? value);
    if (address.success) return { name: (named?.[1] ?? named?.[2])?.trim() || null, address: address.data };
    context.addIssue({ code: "custom", message: "must be an e-mail address, or have the form Name <address>" });
    return z.NEVER;
  });
}

/** Comma-separated addresses; blanks around them and empty parts are dropped. */
export function emailList() {
  return z
    .string()
    .transform((list) =>
      list
        .split(",")
        .map((address) => address.trim())
        .filter((address) => address !== ""),
    )
    .refine((list) => list.every((address) => emailAddress.safeParse(address).success), {
      error: "must be a comma-separated list of e-mail addresses",
    })
    .default([]);
}

export function timeZone() {
  return z.string().refine(
    (name) => {
      try {
        new Intl.DateTimeFormat("en", { timeZone: name });
        return true;
      } catch {
        return false;
      }
    },
    { error: "must be the name of a time zone, such as Europe/Berlin" },
  );
}
