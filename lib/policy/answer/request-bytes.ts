import { JsonTooDeep } from "@/lib/platform/http/read/json-depth";

// No answer needs nine tenths of a request, and building values from these takes a worker twice as long as scanning.

/** Which members of an object are kept: the named ones, or all in the same way. All others become `null`. */
type Kept = { readonly members: readonly (readonly [name: string, kept: Kept | "value"])[] } | { readonly every: Kept };

const object: Kept = { members: [] };
const app: Kept = {
  members: [
    ["enabled", "value"],
    ["auth_token", "value"],
  ],
};
export const keptOfConfig: Kept = { members: [["full_app_id_supported", "value"]] };
const keptOfBody: Kept = {
  members: [
    [
      "policy_table",
      {
        members: [
          ["app_policies", { every: app }],
          ["consumer_friendly_messages", object],
          ["device_data", object],
          ["functional_groupings", object],
          ["module_config", keptOfConfig],
          ["usage_and_error_counts", object],
        ],
      },
    ],
  ],
};

const [quote, comma, minus, point, zero, nine] = [0x22, 0x2c, 0x2d, 0x2e, 0x30, 0x39];
const [colon, openingBracket, backslash, closingBracket] = [0x3a, 0x5b, 0x5c, 0x5d];
const [openingBrace, closingBrace] = [0x7b, 0x7d];

/**
 * Reads UTF-8 like `JSON.parse`, but keeps only what answers depend on; null if the body is JSON but not an object.
 * `limit` is the maximum nesting (`{}` has 1). Throws SyntaxError for what `JSON.parse` refuses; JsonTooDeep.
 */
export function readRequestBytes(bytes: Buffer, limit: number): object | null {
  const reader = new RequestReader(bytes, limit);
  const value = reader.read(keptOfBody);
  reader.end();
  return value;
}

/** Bytes within a text that are not special. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[quote] = plain[backslash] = 0;
/** The bytes that may follow a backslash within a text, except `u`. */
const escapes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') escapes[letter.charCodeAt(0)] = 1;
const blanks = new Uint8Array(256);
for (const letter of " \t\r\n") blanks[letter.charCodeAt(0)] = 1;

/** Public methods leave `at` after what they read, or at an error. Private ones return it, to keep it in a register. */
export class RequestReader {
  at = 0;
  readonly #bytes: Buffer;
  readonly #limit: number;
  /** The kind of each open value: 1 for a list, 0 for an object. */
  readonly #open: Uint8Array;

  constructor(bytes: Buffer, limit: number) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#open = new Uint8Array(limit);
  }

  end(): void {
    this.at = this.#afterBlanks(this.at);
    if (this.at < this.#bytes.length) throw malformed;
  }

  /** The kept part of a value; null if it is not an object. `depth` is the number of open values around it. */
  read(kept: Kept, depth = 0): object | null {
    const bytes = this.#bytes;
    let at = this.#afterBlanks(this.at);
    if (bytes[at] !== openingBrace) {
      this.skip(depth);
      return null;
    }
    if (depth === this.#limit) throw new JsonTooDeep();
    // No prototype, so that `__proto__` is an ordinary name.
    const value = Object.create(null) as Record<string, unknown>;
    at = this.#afterBlanks(at + 1);
    if (bytes[at] === closingBrace) {
      this.at = at + 1;
      return value;
    }
    for (;;) {
      const start = this.#afterBlanks(at) + 1;
      const end = this.#afterText(start - 1) - 1;
      this.at = this.#afterColon(end + 1);
      if ("every" in kept) value[this.#textOf(start, end)] = this.read(kept.every, depth + 1);
      else if (kept.members.length === 0) this.skip(depth + 1);
      else this.#readMember(value, kept, start, end, depth + 1);
      at = this.#afterBlanks(this.at);
      const byte = bytes[at++];
      if (byte === closingBrace) break;
      if (byte !== comma) this.#fail(at - 1);
    }
    this.at = at;
    return value;
  }

  /** Skips a value and the blanks before it. Nine tenths of a body pass through this loop. */
  skip(around = 0): void {
    const bytes = this.#bytes;
    const open = this.#open;
    const limit = this.#limit;
    let at = this.at;
    let depth = around;
    for (;;) {
      at = this.#afterBlanks(at);
      const byte = bytes[at];
      if (byte === quote) at = this.#afterText(at);
      else if (byte === openingBrace || byte === openingBracket) {
        if (depth === limit) {
          this.at = at;
          throw new JsonTooDeep();
        }
        at = this.#afterBlanks(at + 1);
        // Both closing characters are two code points after their opening ones.
        if (bytes[at] === byte + 2) at++;
        else {
          open[depth++] = byte === openingBracket ? 1 : 0;
          if (byte === openingBrace) at = this.#afterName(at);
          continue;
        }
      } else at = this.#afterWord(at);
      // Moves to the next value, out of finished ones.
      for (;;) {
        if (depth === around) {
          this.at = at;
          return;
        }
        at = this.#afterBlanks(at);
        const next = bytes[at++];
        const isList = open[depth - 1] === 1;
        if (next === comma) {
          if (!isList) at = this.#afterName(at);
          break;
        }
        if (next !== (isList ? closingBracket : closingBrace)) this.#fail(at - 1);
        depth--;
      }
    }
  }

  #readMember(
    value: Record<string, unknown>,
    { members }: Extract<Kept, { members: unknown }>,
    start: number,
    end: number,
    depth: number,
  ): void {
    const isEscaped = this.#isEscaped(start, end);
    for (const [name, kept] of members) {
      // Most names differ in length, so no text is built for them.
      if (!(isEscaped ? this.#textOf(start, end) === name : this.#isHere(name, start, end))) continue;
      if (kept === "value") {
        value[name] = this.#readValue(depth);
      } else value[name] = this.read(kept, depth);
      return;
    }
    this.skip(depth);
  }

  #readValue(depth: number): unknown {
    const from = this.#afterBlanks(this.at);
    this.skip(depth);
    const byte = this.#bytes[from];
    // Most values are booleans, already validated, which need neither a text nor parsing.
    if (byte === 0x74 || byte === 0x66) return byte === 0x74;
    return JSON.parse(this.#bytes.toString("utf8", from, this.at));
  }

  #isHere(name: string, start: number, end: number): boolean {
    if (name.length !== end - start) return false;
    for (let at = 0; at < name.length; at++) if (this.#bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }

  #isEscaped(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#bytes[at] === backslash) return true;
    return false;
  }

  #textOf(start: number, end: number): string {
    const text = this.#bytes.toString("utf8", start, end);
    return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  }

  #afterName(at: number): number {
    return this.#afterColon(this.#afterText(this.#afterBlanks(at)));
  }

  #afterColon(at: number): number {
    const colonAt = this.#afterBlanks(at);
    if (this.#bytes[colonAt] !== colon) this.#fail(colonAt);
    return colonAt + 1;
  }

  #afterText(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at] !== quote) this.#fail(at);
    const next = this.#afterPlain(at + 1);
    return bytes[next] === quote ? next + 1 : this.#afterEscapes(next);
  }

  /** Position after ordinary bytes of a text; checks four at a time. */
  #afterPlain(from: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let at = from;
    for (; at < length - 3; at += 4) {
      const two = isPlain(bytes[at]) & isPlain(bytes[at + 1]);
      if ((two & isPlain(bytes[at + 2]) & isPlain(bytes[at + 3])) === 0) break;
    }
    while (at < length && plain[bytes[at] as number] === 1) at++;
    return at;
  }

  #afterEscapes(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (bytes[at] !== quote) {
      if (bytes[at] !== backslash) this.#fail(at);
      at++;
      if (bytes[at] === 0x75) {
        for (let count = 0; count < 4; count++) if (!isHexDigit(bytes[++at])) this.#fail(at);
      } else if (escapes[bytes[at] ?? 0] !== 1) this.#fail(at);
      at = this.#afterPlain(at + 1);
    }
    return at + 1;
  }

  #afterWord(at: number): number {
    const byte = this.#bytes[at];
    if (byte === minus || isDigit(byte)) return this.#afterNumber(at);
    const word = byte === 0x74 ? "true" : byte === 0x66 ? "false" : "null";
    if (!this.#isHere(word, at, at + word.length)) this.#fail(at);
    return at + word.length;
  }

  #afterNumber(from: number): number {
    const bytes = this.#bytes;
    let at = bytes[from] === minus ? from + 1 : from;
    at = bytes[at] === zero ? at + 1 : this.#afterDigits(at);
    if (bytes[at] === point) at = this.#afterDigits(at + 1);
    if (((bytes[at] ?? 0) | 0x20) === 0x65) {
      const sign = bytes[at + 1];
      at = this.#afterDigits(sign === minus || sign === 0x2b ? at + 2 : at + 1);
    }
    return at;
  }

  #afterDigits(from: number): number {
    let at = from;
    while (isDigit(this.#bytes[at])) at++;
    if (at === from) this.#fail(at);
    return at;
  }

  #afterBlanks(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    for (;;) {
      const byte = bytes[at] ?? quote;
      // Usually there are none.
      if (byte > 0x20 || blanks[byte] === 0) return at;
      at++;
    }
  }

  #fail(at: number): never {
    // For callers that continue from there.
    this.at = Math.min(at, this.#bytes.length);
    throw malformed;
  }
}

const isPlain = (byte: number | undefined) => plain[byte as number] as number;

/** Created once: it is thrown so often that recording stack traces would take longer than the scan. */
const malformed = new SyntaxError("the body is no JSON");
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= zero && byte <= nine;

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}
