import { z } from "zod";
import { type RoleMap, roles } from "@/lib/vocabulary/roles";

/* Kinds of setting values. Messages complete "<NAME> …" and never repeat the value (rule E4). */

export function orNull<T extends z.ZodType<unknown, string>>(kind: T) {
  return kind.optional().transform((value) => value ?? null);
}

/** A secret may come from a file (rule E8), and is never logged. */
export const secret = <T extends z.ZodType<unknown, string>>(kind: T) => orNull(kind).meta({ isSecret: true });

/** Text in a form of its own. `read` returns null for any other. */
export function readSetting<T>(read: (text: string) => T | null, error: string) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}

export const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, { error });

const flagText = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(["true", "false", ""], { error: "must be true or false" }));

/** Rule E2: `true` or `false` in any case, trimmed. Only spaces count as not set. */
export function flag(fallback: boolean) {
  return flagText()
    .transform((text) => (text === "" ? fallback : text === "true"))
    .default(fallback);
}

export function optionalFlag() {
  return orNull(flagText().transform((text) => (text === "" ? null : text === "true")));
}

/** Rule E3: decimal digits, from `min` to `max` inclusive. */
export function integerSetting(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

export const port = () => integerSetting(1, 65_535);

export function vehicleWorkers() {
  return z.union([z.literal("auto"), integerSetting(1, 64)], { error: "must be auto or an integer from 1 to 64" });
}

export function textSetting(min: number, max = Infinity) {
  const error = max === Infinity ? `must have at least ${min} characters` : `must have ${min} to ${max} characters`;
  return z.string().min(min, { error }).max(max, { error });
}

export function choiceSetting<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of: ${words.join(", ")}` });
}

export function fileName() {
  return z.string().refine((value) => !/[/\\\0]/.test(value) && !value.includes(".."), {
    error: "must be a file name without path separators and without ..",
  });
}

const takenHeader =
  /^(?:accept.*|authorization|basic-auth-password|connection|content-.*|cookie|expect|forwarded|host|if-.*|next-.*|origin|public_key|referer|rsc|sec-.*|te|transfer-encoding|upgrade|user-agent|x-client-address|x-display-name|x-forwarded-(?:for|host|port|proto)|x-middleware-.*|x-nonce|x-page-path)$/;

/** The name of a request header, lowercased. Excludes headers with a fixed meaning. */
export function headerName() {
  return z
    .string()
    .toLowerCase()
    .regex(/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/, { error: "must be the name of a header, such as X-Forwarded-User" })
    .refine((name) => !takenHeader.test(name), { error: "must not be a header that means something else" });
}

/** Headers in OpenTelemetry's format: `name=value`, comma-separated, values percent-encoded. */
export function headerList() {
  const error = "must have the form name=value,name=value with percent-encoded values";
  return readSetting((list): Readonly<Record<string, string>> | null => {
    const headers: Record<string, string> = {};
    for (const part of list.split(",").filter((one) => one.trim() !== "")) {
      const [name = "", ...rest] = part.split("=").map((one) => one.trim());
      const decoded = decode(rest.join("="));
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || rest.length === 0 || decoded === null) return null;
      headers[name.toLowerCase()] = decoded;
    }
    return headers;
  }, error).default({});
}

/** Decodes percent-encoded text; null if invalid, or if a header must not contain it. */
export function decode(value: string): string | null {
  try {
    const text = decodeURIComponent(value);
    return /^[\t\x20-\x7e]*$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

export function encryptionKey() {
  return readSetting((value) => {
    const key = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? "hex" : "base64");
    return key.length === 32 ? key : null;
  }, "must be a key of 32 bytes in Base64 (openssl rand -base64 32), or 64 hexadecimal digits");
}

/** Spaces and line breaks would allow header injection. */
const isEmailAddress = (text: string) => /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text);

export interface Sender {
  readonly name: string | null;
  readonly address: string;
}

export function sender() {
  return readSetting((value): Sender | null => {
    const [, written = "", between] = /^([^<>]*)<([^<>]*)>$/.exec(value.trim()) ?? [];
    const [, quoted] = /^"([^"]*)"$/.exec(written.trim()) ?? [];
    const name = (quoted ?? written).trim();
    const address = between ?? value;
    return isEmailAddress(address) && !/["\p{Cc}]/u.test(name) ? { name: name || null, address } : null;
  }, "must be an e-mail address, or have the form Name <address>");
}

export function commaList(isOne: (text: string) => boolean, error: string) {
  return z
    .string()
    .transform((list) =>
      list
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== ""),
    )
    .refine((list) => list.every(isOne), { error })
    .default([]);
}

export function emailList() {
  return commaList(isEmailAddress, "must be a comma-separated list of e-mail addresses");
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

/** A policy that the operator discards (`processes.md` N15b): of this database, at this revision or an earlier one. */
export interface GivenUpPolicy {
  readonly databaseId: string | null;
  readonly revision: number;
}

const unknownId = "unknown";

export function formatGivenUp({ databaseId, revision }: GivenUpPolicy): string {
  return `${databaseId ?? unknownId}:${revision}`;
}

export function givenUpPolicy() {
  return readSetting((text): GivenUpPolicy | null => {
    const [, id, revision] = /^([\w-]{1,64}):(\d{1,15})$/.exec(text) ?? [];
    return id === undefined ? null : { databaseId: id === unknownId ? null : id, revision: Number(revision) };
  }, "must be the database id and the revision that the log names, such as 0b54c0de-…:1234");
}

export function requiresSignIn(authType: "basic" | "oidc" | "none" | null): authType is "basic" | "oidc" {
  return authType === "basic" || authType === "oidc";
}

const noGroups: RoleMap = { viewer: [], editor: [], publisher: [], admin: [] };

export function roleMap() {
  return readSetting(
    (text): RoleMap | null => {
      const parts = text.split(";").filter((part) => part.trim() !== "");
      const map = new Map(
        parts.map((part) => {
          const [role = "", ...rest] = part.split("=");
          const groups = rest.join("=").split(",");
          return [role.trim().toLowerCase(), groups.map((group) => group.trim()).filter((group) => group !== "")];
        }),
      );
      const isKnown = [...map].every(([role, groups]) => roles.some((one) => one === role) && groups.length > 0);
      return parts.length > 0 && isKnown && map.size === parts.length
        ? { ...noGroups, ...Object.fromEntries(map) }
        : null;
    },
    `must have the form viewer=group,group;editor=group with roles of: ${roles.join(", ")}, each once`,
  );
}

export function scopes() {
  return z
    .string()
    .refine((text) => text.split(/\s+/).includes("openid") && /^[\x21\x23-\x5b\x5d-\x7e\s]+$/.test(text), {
      error: "must be scopes with blanks between, openid among them",
    });
}
