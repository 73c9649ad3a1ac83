"one per process";

const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d;

/** Up to this size, parsing any text is cheap, and checking the value is cheaper than scanning the text. */
const scannedFrom = 32_768;

export class JsonTooDeep extends Error {
  override readonly name = "JsonTooDeep";
}

/** Parses JSON of limited depth; `{}` has depth 1. Scans long texts first: parsing a megabyte of brackets takes 0.5 s. */
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

/** Whether a JSON text is nested deeper than a limit. Meaningless for invalid JSON. */
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
