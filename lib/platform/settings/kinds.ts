import { z } from "zod";

/* Kinds of setting values. Messages complete "<NAME> …" and never repeat the value (rule E4). */

export function orNull<T extends z.ZodType<unknown, string>>(kind: T) {
  return kind.optional().transform((value) => value ?? null);
}

const secrets = new WeakSet<z.ZodType>();

/** A secret setting with its description: it may come from a file, and is never logged. */
export function secret<T extends z.ZodType>(kind: T, description: string): T {
  const described = kind.describe(description);
  secrets.add(described);
  return described;
}

export function isSecret(kind: z.ZodType): boolean {
  return secrets.has(kind);
}

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
  return z.string().refine((value) => value.length >= min && value.length <= max, { error });
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
  return z
    .string()
    .transform((list, context): Readonly<Record<string, string>> => {
      const headers: Record<string, string> = {};
      for (const part of list.split(",").filter((one) => one.trim() !== "")) {
        const [name = "", ...rest] = part.split("=").map((one) => one.trim());
        const decoded = decode(rest.join("="));
        if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) || rest.length === 0 || decoded === null) {
          context.addIssue({ code: "custom", message: error });
          return z.NEVER;
        }
        headers[name.toLowerCase()] = decoded;
      }
      return headers;
    })
    .default({});
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
  return z
    .string()
    .transform((value) => Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? "hex" : "base64"))
    .refine((key) => key.length === 32, {
      error: "must be a key of 32 bytes in Base64 (openssl rand -base64 32), or 64 hexadecimal digits",
    });
}

/** One e-mail address. Spaces and line breaks would allow header injection. */
export const emailAddress = z.string().regex(/^[^\s@,;<>]+@[^\s@,;<>]+$/, { error: "must be an e-mail address" });

export interface Sender {
  readonly name: string | null;
  readonly address: string;
}

export function sender() {
  return z.string().transform((value, context): Sender => {
    const [, written = "", between] = /^([^<>]*)<([^<>]*)>$/.exec(value.trim()) ?? [];
    const [, quoted] = /^"([^"]*)"$/.exec(written.trim()) ?? [];
    const name = (quoted ?? written).trim();
    const address = emailAddress.safeParse(between ?? value);
    if (address.success && !/["\p{Cc}]/u.test(name)) return { name: name || null, address: address.data };
    context.addIssue({ code: "custom", message: "must be an e-mail address, or have the form Name <address>" });
    return z.NEVER;
  });
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
  const isAddress = (text: string) => emailAddress.safeParse(text).success;
  return commaList(isAddress, "must be a comma-separated list of e-mail addresses");
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
  return z
    .string()
    .regex(/^[\w-]{1,64}:\d{1,15}$/, {
      error: "must be the database id and the revision that the log names, such as 0b54c0de-…:1234",
    })
    .transform((text): GivenUpPolicy => {
      const [id = unknownId, revision] = text.split(":");
      return { databaseId: id === unknownId ? null : id, revision: Number(revision) };
    });
}
