import { JsonTooDeep } from "@/lib/http/read/json-depth";

/*
 * Nine tenths of what a head unit sends is read by nobody, and to build it takes a vehicle process twice as long as to look
 * at it. So its bytes are validated in one pass, and only what an answer depends on becomes a value.
 */

/** What is kept of an object: the members named, or all members alike. What is not an object becomes `null`. */
type Kept = { readonly members: Readonly<Record<string, Kept | "value">> } | { readonly every: Kept };

const object: Kept = { members: {} };
export const keptOfConfig: Kept = { members: { full_app_id_supported: "value" } };
/** What `readPolicyTable` looks at. */
const keptOfBody: Kept = {
  members: {
    policy_table: {
      members: {
        app_policies: { every: { members: { enabled: "value", auth_token: "value" } } },
        consumer_friendly_messages: object,
        device_data: object,
        functional_groupings: object,
        module_config: keptOfConfig,
        usage_and_error_counts: object,
      },
    },
  },
};

const [quote, comma, minus, point, zero, nine] = [0x22, 0x2c, 0x2d, 0x2e, 0x30, 0x39];
const [colon, openingBracket, backslash, closingBracket] = [0x3a, 0x5b, 0x5c, 0x5d];
const [openingBrace, closingBrace] = [0x7b, 0x7d];

/**
 * Reads the body of a vehicle's request as `JSON.parse` does, without what no answer depends on.
 *
 * @param bytes UTF-8; what is not, is replaced
 * @param limit the deepest nesting allowed; `{}` has 1
 * @returns an object with `policy_table`, if it was sent, as far as `readPolicyTable` looks at it; null when the body is JSON
 *   but no object
 * @throws SyntaxError for what `JSON.parse` refuses; JsonTooDeep
 */
export function readRequestBytes(bytes: Buffer, limit: number): object | null {
  const reader = new RequestReader(bytes, limit);
  const value = reader.read(keptOfBody);
  reader.end();
  return value;
}

/** Bytes that stand for themselves in a text. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[quote] = plain[backslash] = 0;
/** The bytes of a text that follow a backslash, `u` aside. */
const escapes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') escapes[letter.charCodeAt(0)] = 1;

/** A place in bytes that moves on; each method leaves it behind what it has read. */
export class RequestReader {
  at = 0;
  readonly #bytes: Buffer;
  #left: number;

  constructor(bytes: Buffer, limit: number) {
    this.#bytes = bytes;
    this.#left = limit;
  }

  /** Nothing may follow. */
  end(): void {
    this.#skipBlanks();
    if (this.at < this.#bytes.length) throw malformed;
  }

  /** Reads a value and gives what is kept of it; null: it is no object. */
  read(kept: Kept): object | null {
    this.#skipBlanks();
    if (this.#bytes[this.at] !== openingBrace) {
      this.skip();
      return null;
    }
    // Without a prototype: `__proto__` is a name like others.
    const value = Object.create(null) as Record<string, unknown>;
    this.#walkObject((start, end, isEscaped) => {
      if ("every" in kept) value[this.#textOf(start, end, isEscaped)] = this.read(kept.every);
      else this.#readMember(value, kept.members, start, end, isEscaped);
    });
    return value;
  }

  /** Skips a value with the blanks before it. */
  skip(): void {
    this.#skipBlanks();
    const byte = this.#bytes[this.at];
    if (byte === quote) this.#skipText();
    else if (byte === openingBrace) this.#walkObject(null);
    else if (byte === openingBracket) this.#skipList();
    else if (byte === minus || isDigit(byte)) this.#skipNumber();
    else if (byte === 0x74) this.#skipWord("true");
    else if (byte === 0x66) this.#skipWord("false");
    else this.#skipWord("null");
  }

  #readMember(
    value: Record<string, unknown>,
    members: Readonly<Record<string, Kept | "value">>,
    start: number,
    end: number,
    isEscaped: boolean,
  ): void {
    const name = this.#nameOf(members, start, end, isEscaped);
    const kept = name === null ? undefined : members[name];
    if (name === null || kept === undefined) this.skip();
    else if (kept !== "value") value[name] = this.read(kept);
    else {
      this.#skipBlanks();
      const from = this.at;
      this.skip();
      value[name] = JSON.parse(this.#bytes.toString("utf8", from, this.at));
    }
  }

  /** Which of these names stands here; null: none. Most have another length, and become no text. */
  #nameOf(members: object, start: number, end: number, isEscaped: boolean): string | null {
    for (const name in members) {
      if (isEscaped ? this.#textOf(start, end, true) === name : this.#isHere(name, start, end)) return name;
    }
    return null;
  }

  #isHere(name: string, start: number, end: number): boolean {
    if (name.length !== end - start) return false;
    for (let at = 0; at < name.length; at++) if (this.#bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }

  #textOf(start: number, end: number, isEscaped: boolean): string {
    const text = this.#bytes.toString("utf8", start, end);
    return isEscaped ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Reads an object; `member` is called behind each name and reads the value. Null: all are skipped. */
  #walkObject(member: ((start: number, end: number, isEscaped: boolean) => void) | null): void {
    this.#enter();
    this.#skipBlanks();
    if (this.#bytes[this.at] === closingBrace) this.at++;
    else {
      for (;;) {
        this.#skipBlanks();
        if (this.#bytes[this.at] !== quote) throw malformed;
        const start = this.at + 1;
        const isEscaped = this.#skipText();
        const end = this.at - 1;
        this.#skipBlanks();
        if (this.#bytes[this.at++] !== colon) throw malformed;
        if (member === null) this.skip();
        else member(start, end, isEscaped);
        this.#skipBlanks();
        const byte = this.#bytes[this.at++];
        if (byte === closingBrace) break;
        if (byte !== comma) throw malformed;
      }
    }
    this.#left++;
  }

  #skipList(): void {
    this.#enter();
    this.#skipBlanks();
    if (this.#bytes[this.at] === closingBracket) this.at++;
    else {
      for (;;) {
        this.skip();
        this.#skipBlanks();
        const byte = this.#bytes[this.at++];
        if (byte === closingBracket) break;
        if (byte !== comma) throw malformed;
      }
    }
    this.#left++;
  }

  /** Steps over the opening mark of an object or a list. */
  #enter(): void {
    if (this.#left === 0) throw new JsonTooDeep();
    this.#left--;
    this.at++;
  }

  /** @returns whether it has escapes */
  #skipText(): boolean {
    const bytes = this.#bytes;
    const { length } = bytes;
    let isEscaped = false;
    let at = this.at + 1;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (plain[byte] === 1) continue;
      if (byte === quote) {
        this.at = at + 1;
        return isEscaped;
      }
      // Where it goes wrong, for whoever goes on from there.
      this.at = at;
      if (byte !== backslash) throw malformed;
      isEscaped = true;
      at++;
      if (bytes[at] === 0x75) {
        for (let count = 0; count < 4; count++) if (!isHexDigit(bytes[++at])) throw malformed;
      } else if (escapes[bytes[at] ?? 0] !== 1) throw malformed;
    }
    this.at = length;
    throw malformed;
  }

  #skipNumber(): void {
    if (this.#bytes[this.at] === minus) this.at++;
    if (this.#bytes[this.at] === zero) this.at++;
    else this.#skipDigits();
    if (this.#bytes[this.at] === point) {
      this.at++;
      this.#skipDigits();
    }
    if (((this.#bytes[this.at] ?? 0) | 0x20) === 0x65) {
      this.at++;
      const sign = this.#bytes[this.at];
      if (sign === minus || sign === 0x2b) this.at++;
      this.#skipDigits();
    }
  }

  #skipDigits(): void {
    const from = this.at;
    while (isDigit(this.#bytes[this.at])) this.at++;
    if (this.at === from) throw malformed;
  }

  #skipWord(word: string): void {
    const end = this.at + word.length;
    if (!this.#isHere(word, this.at, end)) throw malformed;
    this.at = end;
  }

  #skipBlanks(): void {
    const bytes = this.#bytes;
    let { at } = this;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    this.at = at;
  }
}

/** Thrown again and again: to note where each one was thrown would take longer than a scan that meets it often. */
const malformed = new SyntaxError("the body is no JSON");
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= zero && byte <= nine;

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}
