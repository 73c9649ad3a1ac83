import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { AppError } from "@/lib/platform/errors";
import { longestDisplayName, unfitInDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { loadSettings } from "@/lib/platform/settings";
import { isPlainName } from "@/lib/labels/person-names";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the name of the user that the proxy in front has authenticated (`AUTH_USER_HEADER`). It goes into the audit trail
 * and opens nothing. Null: the setting is off, the proxy names nobody or more than one, or there is no server entry, which
 * alone can tell a proxy from others.
 */
export function readVerifiedName(headers: Headers): string | null {
  const header = findNameHeader(headers);
  return header === null || header.includes(",") ? null : decodeUserName(header);
}

/**
 * Why the name that the proxy gives stands for nobody (`people.md` P6); null: it can be used, or there is none. Spelt in two ways
 * one person would be two, who approve each other's changes.
 */
export function findNameProblem(headers: Headers): string | null {
  const { authUserHeader, authRolesHeader } = loadSettings();
  const name = decodeBytes(findNameHeader(headers) ?? "").trim();
  if (name === "" || authUserHeader === null) return null;
  if (!isPlainName(name)) {
    return `${authUserHeader} must hold a name in the Unicode form NFKC, without characters that do not show`;
  }
  // Names that are cut could be those of two people.
  const isTooLong = authRolesHeader !== null && name.length > longestDisplayName;
  return isTooLong ? `${authUserHeader} must hold a name of at most ${longestDisplayName} characters` : null;
}

/** @throws AppError 401 as `findNameProblem` */
export function refuseUnfitName(headers: Headers): void {
  const problem = findNameProblem(headers);
  if (problem !== null) throw new AppError("unauthorized", problem);
}

/**
 * A header that arrived twice, or with a comma, which is the same to whatever lies between: one of the names may be made
 * up by the caller.
 *
 * @throws AppError 400 naming the header; 401 as `refuseUnfitName`
 */
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

/**
 * Makes a display name of what a proxy sends: bytes in UTF-8 or else in Latin-1, which arrive as one character each.
 * What is too long is cut. In another form than `isPlainName` it counts as absent: it might be meant to name somebody else.
 *
 * @param header value of the header; null: there is none
 */
export function decodeUserName(header: string | null): string | null {
  const name = decodeBytes(header ?? "").trim();
  if (!isPlainName(name) || unfitInDisplayName.test(name)) return null;
  // Half a character at the end goes as well.
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
