import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { AppError } from "@/lib/platform/errors";
import { displayNameHeader, longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { loadSettings } from "@/lib/platform/settings";
import { isPlainName } from "@/lib/vocabulary/person-names";
import { whyUnfitText } from "@/lib/vocabulary/whole-text";
import { z } from "zod";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The proxy's user name (`AUTH_USER_HEADER`) for the audit trail; null: none, several, or no server entry. */
export function readVerifiedName(headers: Headers): string | null {
  const header = findNameHeader(headers);
  return header === null || header.includes(",") ? null : decodeUserName(header);
}

/** Why the proxy's name is unusable (`people.md` P6); null: usable. With two spellings, one person could approve alone. */
export function findNameProblem(headers: Headers): string | null {
  const { authUserHeader, authRolesHeader } = loadSettings();
  const name = decodeBytes(findNameHeader(headers) ?? "").trim();
  if (name === "" || authUserHeader === null) return null;
  if (!isPlainName(name)) {
    return `${authUserHeader} must hold a name in the Unicode form NFKC, without characters that do not show`;
  }
  const isTooLong = authRolesHeader !== null && name.length > longestDisplayName;
  return isTooLong ? `${authUserHeader} must hold a name of at most ${longestDisplayName} characters` : null;
}

export function refuseUnfitName(headers: Headers): void {
  const problem = findNameProblem(headers);
  if (problem !== null) throw new AppError("unauthorized", problem);
}

/** Throws AppError 400 for a repeated header or one with a comma (the caller may have added it), or 401. */
export function refuseAmbiguousName(headers: Headers): void {
  if (findNameHeader(headers)?.includes(",") === true) {
    throw new AppError("invalid", `${loadSettings().authUserHeader ?? ""} must name one user, without a comma`);
  }
  refuseUnfitName(headers);
  const { authRolesHeader } = loadSettings();
  if (authRolesHeader === null || !areClientHeadersBelieved()) return;
  if (headers.get(authRolesHeader)?.includes(",") === true) {
    throw new AppError("invalid", `${authRolesHeader} must come once, with semicolons between groups`);
  }
}

function findNameHeader(headers: Headers): string | null {
  const { authUserHeader } = loadSettings();
  return authUserHeader === null || !areClientHeadersBelieved() ? null : headers.get(authUserHeader);
}

/** Decodes a proxy's user name: UTF-8, else Latin-1. Truncates long names; null unless `isPlainName`. */
export function decodeUserName(header: string | null): string | null {
  const name = decodeBytes(header ?? "").trim();
  if (!isPlainName(name) || whyUnfitText(name) !== null) return null;
  return name
    .slice(0, longestDisplayName)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();
}

function decodeBytes(text: string): string {
  try {
    return strictUtf8.decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

/** The caller's name, for the audit trail. It grants nothing. */
export interface WriterName {
  readonly displayName: string | null;
  readonly isNameVerified: boolean;
}

/** The proxy's name takes precedence over the caller's own. */
export function readWriterName(headers: Headers): WriterName {
  const verified = readVerifiedName(headers);
  if (verified !== null) return { displayName: verified, isNameVerified: true };
  return { displayName: readDisplayName(headers.get(displayNameHeader)), isNameVerified: false };
}

/** A UTF-16 unit has at most three bytes in UTF-8, each percent-encoded as three characters. Longer ones are not decoded. */
const longestHeader = longestDisplayName * 9;

const displayName = z
  .string()
  .max(longestHeader)
  // Non-ASCII characters were not encoded, and their character set is unknown.
  .regex(/^[\x20-\x7e]*$/)
  .transform((text, context) => {
    try {
      return decodeURIComponent(text);
    } catch {
      context.addIssue({ code: "custom", message: "not percent-encoded UTF-8" });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .string()
      .trim()
      .min(1)
      .max(longestDisplayName)
      .refine((name) => name.isWellFormed() && whyUnfitText(name) === null),
  );

/** The name that the caller claims (`X-Display-Name`). Malformed ones count as absent. */
export function readDisplayName(header: string | null): string | null {
  return displayName.safeParse(header).data ?? null;
}
