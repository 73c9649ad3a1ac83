import { errorNamed } from "@/lib/platform/errors";

const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d;

/** Up to here parsing costs little whatever the text is, and looking at the value less than looking at the text. */
const scannedFrom = 32_768;

export class JsonTooDeep extends Error {
  override readonly name = "JsonTooDeep";
}
export const isJsonTooDeep = errorNamed<JsonTooDeep>("JsonTooDeep");

/** Parses JSON of a limited depth; `{}` has 1. Long texts are scanned first: a megabyte of brackets takes 0.5 s. */
export function parseJsonWithin(bytes: Buffer, limit: number, text = bytes.toString()): unknown {
  if (bytes.length < scannedFrom) {
    const value: unknown = JSON.parse(text);
    if (isBranch(value) && hasBranchBelow(value, limit)) throw new JsonTooDeep();
    return value;
  }
  if (isJsonDeeperThan(bytes, limit)) throw new JsonTooDeep();
  return JSON.parse(text);
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Looks at leaves without a call each. Goes no deeper than the limit. */
function hasBranchBelow(branch: object, limit: number): boolean {
  if (limit === 0) return true;
  if (Array.isArray(branch)) {
    for (const element of branch as readonly unknown[]) {
      if (isBranch(element) && hasBranchBelow(element, limit - 1)) return true;
    }
    return false;
  }
  const members = branch as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (isBranch(member) && hasBranchBelow(member, limit - 1)) return true;
  }
  return false;
}

/** Whether a JSON text is nested beyond a limit; meaningless for a text that is no JSON. */
export function isJsonDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = findEndOfText(bytes, at);
    else if (isOpening(byte)) {
      depth++;
      if (depth > limit) return true;
    } else if (isClosing(byte)) depth--;
  }
  return false;
}

function findEndOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
