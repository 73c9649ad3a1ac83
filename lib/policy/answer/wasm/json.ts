// AssemblyScript (https://www.assemblyscript.org): compiled to `lib/policy/answer/json-wasm.ts` by `scripts/wasm.mjs`.
//
// Reads JSON in memory, accepting exactly what `JSON.parse` does, without building values. The byte after the text is 0, which
// is allowed nowhere, so nothing else needs to look for the end. Positions are addresses.

/** Where the text begins. Before it, the position of the last name or value and the one after it. */
export const textStart: usize = 64;

/** After the longest text, a slot for each name that `find` knows: its length, its bytes, and at `foundAt` what was found. */
export const slotsStart: usize = 17 * 65_536 - 1_024;
export const slotSize: usize = 40;
export const foundAt: usize = 32;

const malformed = -1;
const tooDeep = -2;
/** Instead of a position. */
const none: usize = 0;
const beyondLimit: usize = 1;

const quote: u8 = 0x22;
const comma: u8 = 0x2c;
const minus: u8 = 0x2d;
const colon: u8 = 0x3a;
const openingBracket: u8 = 0x5b;
const backslash: u8 = 0x5c;
const closingBracket: u8 = 0x5d;
const openingBrace: u8 = 0x7b;
const closingBrace: u8 = 0x7d;

/** The position after what was read, or of the error. */
export let at: usize = textStart;
let end: usize = textStart;
let limit: i32 = 0;
/** Whether no member of an entered object was read yet. */
let isFirst = false;
/** Of the last text. */
let isEscaped = false;

/** @param most maximum nesting (`{}` has 1); at most 64 */
export function begin(length: i32, most: i32): void {
  at = textStart;
  end = textStart + length;
  limit = most;
  store<u8>(end, 0);
}

/** Whether nothing but blanks is left. */
export function isOver(): bool {
  return afterBlanks(at) === end;
}

/** Skips a value, which has this many open values around it. Returns 1; or a negative number for an error. */
export function skip(depth: i32): i32 {
  const from = afterBlanks(at);
  const code = finish(afterValue(from, depth));
  remember(from, at);
  return code;
}

/** Begins to read an object and returns 1; skips another value and returns 0. */
export function enter(depth: i32): i32 {
  const from = afterBlanks(at);
  if (load<u8>(from) !== openingBrace) return min(finish(afterValue(from, depth)), 0);
  if (depth === limit) return finish(beyondLimit);
  at = from + 1;
  isFirst = true;
  return 1;
}

/**
 * Reads on to the next member of an object whose name is escaped (returns 2), or has one of the lengths below 32 whose bits are
 * set, or any if all are (returns 1); 0: there is none. `depth` counts the object.
 */
export function member(lengths: u32, depth: i32): i32 {
  let next = afterBlanks(at);
  while (load<u8>(next) !== closingBrace) {
    if (isFirst) isFirst = false;
    else if (load<u8>(next) === comma) next = afterBlanks(next + 1);
    else return finish(fail(next));
    const from = next + 1;
    next = afterText(next);
    if (next === none) return malformed;
    const to = next - 1;
    next = afterColon(next);
    if (next === none) return malformed;
    const length = to - from;
    if (isEscaped || lengths === 0xffffffff || (length < 32 && ((lengths >> u32(length)) & 1) === 1)) {
      remember(from, to);
      at = next;
      return isEscaped ? 2 : 1;
    }
    next = afterValue(next, depth);
    if (next <= beyondLimit) return finish(next);
    next = afterBlanks(next);
  }
  at = next + 1;
  isFirst = false;
  return 0;
}

/**
 * Reads an object to its end and returns 1; skips another value and returns 0. For each slot from `first` to before `last`, finds
 * where the value of its name's last member is, and where it ends; 0 if there is none. Names with a backslash are not compared.
 */
export function find(first: usize, last: usize, depth: i32): i32 {
  for (let slot = first; slot < last; slot += slotSize) store<u32>(slot + foundAt, 0);
  let state = enter(depth);
  if (state !== 1) return state;
  while ((state = member(0xffffffff, depth + 1)) > 0) {
    const name: usize = load<u32>(0);
    const length = load<u32>(4) - u32(name);
    const skipped = skip(depth + 1);
    if (skipped < 0) return skipped;
    for (let slot = state === 1 ? first : last; slot < last; slot += slotSize) {
      if (load<u32>(slot) !== length || compare(slot + 4, name, length) !== 0) continue;
      store<u32>(slot + foundAt, load<u32>(0));
      store<u32>(slot + foundAt + 4, load<u32>(4));
    }
  }
  return state === 0 ? 1 : state;
}

/** As `find`, the least name by bytes of those with 1 to `longest` bytes, as they were sent; none: an empty one. */
export function least(longest: u32, depth: i32): i32 {
  let state = enter(depth);
  if (state !== 1) return state;
  let from: usize = textStart;
  let length: u32 = 0;
  while ((state = member(0xffffffff, depth + 1)) > 0) {
    const next: usize = load<u32>(0);
    const size = load<u32>(4) - u32(next);
    const skipped = skip(depth + 1);
    if (skipped < 0) return skipped;
    if (size === 0 || size > longest) continue;
    const difference = length === 0 ? -1 : compare(next, from, min(size, length));
    if (difference > 0 || (difference === 0 && size >= length)) continue;
    from = next;
    length = size;
  }
  remember(from, from + length);
  return state === 0 ? 1 : state;
}

function compare(one: usize, other: usize, length: u32): i32 {
  for (let at: u32 = 0; at < length; at++) {
    const difference = i32(load<u8>(one + at)) - i32(load<u8>(other + at));
    if (difference !== 0) return difference;
  }
  return 0;
}

function remember(from: usize, to: usize): void {
  store<u32>(0, u32(from));
  store<u32>(4, u32(to));
}

function finish(next: usize): i32 {
  if (next === none) return malformed;
  if (next === beyondLimit) return tooDeep;
  at = next;
  return 1;
}

function fail(where: usize): usize {
  at = min(where, end);
  return none;
}

function afterValue(from: usize, around: i32): usize {
  let next = from;
  let depth = around;
  /** The kind of each open value, the innermost last: 1 for a list, 0 for an object. */
  let open: u64 = 0;
  do {
    next = afterBlanks(next);
    const byte = load<u8>(next);
    if (byte === openingBrace || byte === openingBracket) {
      if (depth === limit) {
        at = next;
        return beyondLimit;
      }
      next = afterBlanks(next + 1);
      // Both closing characters are two code points after their opening ones.
      if (load<u8>(next) !== byte + 2) {
        depth++;
        open = (open << 1) | u64(byte === openingBracket);
        if (byte === openingBrace) next = afterName(next);
        if (next === none) return none;
        continue;
      }
      next++;
    } else {
      next = byte === quote ? afterText(next) : afterWord(next);
      if (next === none) return none;
    }
    // Moves to the next value, out of finished ones.
    while (depth > around) {
      next = afterBlanks(next);
      const follower = load<u8>(next);
      const isList = (open & 1) === 1;
      if (follower === comma) {
        next = isList ? next + 1 : afterName(afterBlanks(next + 1));
        if (next === none) return none;
        break;
      }
      if (follower !== (isList ? closingBracket : closingBrace)) return fail(next);
      next++;
      depth--;
      open >>= 1;
    }
  } while (depth > around);
  return next;
}

function afterName(from: usize): usize {
  const next = afterText(from);
  return next === none ? none : afterColon(next);
}

function afterColon(from: usize): usize {
  const next = afterBlanks(from);
  return load<u8>(next) === colon ? next + 1 : fail(next);
}

function afterText(from: usize): usize {
  if (load<u8>(from) !== quote) return fail(from);
  isEscaped = false;
  let next = afterPlain(from + 1);
  while (load<u8>(next) === backslash) {
    isEscaped = true;
    next = afterEscape(next + 1);
    if (next === none) return none;
    next = afterPlain(next);
  }
  return load<u8>(next) === quote ? next + 1 : fail(next);
}

/** The position of the next quote, backslash or control character. */
function afterPlain(from: usize): usize {
  let next = from - 16;
  let special = 0;
  while (special === 0) {
    next += 16;
    special = specialIn(next);
  }
  return next + ctz(special);
}

/** A bit for each of the next 16 bytes. */
function specialIn(from: usize): i32 {
  const bytes = v128.load(from);
  const ends = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  return i8x16.bitmask(v128.or(ends, i8x16.lt_u(bytes, i8x16.splat(0x20))));
}

function afterEscape(from: usize): usize {
  switch (load<u8>(from)) {
    case 0x22: // " \ / b f n r t
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return from + 1;
    case 0x75: {
      for (let next = from + 1; next < from + 5; next++) {
        const byte = load<u8>(next);
        if (!isDigit(byte) && u8((byte | 0x20) - 0x61) > 5) return fail(next);
      }
      return from + 5;
    }
    default:
      return fail(from);
  }
}

function afterWord(from: usize): usize {
  switch (load<u32>(from)) {
    case 0x65757274: // true
    case 0x6c6c756e: // null
      return from + 4;
    case 0x736c6166: // fals
      return load<u8>(from + 4) === 0x65 ? from + 5 : fail(from);
    default:
      return afterNumber(from);
  }
}

function afterNumber(from: usize): usize {
  let next = load<u8>(from) === minus ? from + 1 : from;
  next = load<u8>(next) === 0x30 ? next + 1 : afterDigits(next);
  if (next !== none && load<u8>(next) === 0x2e) next = afterDigits(next + 1);
  if (next === none || (load<u8>(next) | 0x20) !== 0x65) return next;
  const sign = load<u8>(next + 1);
  return afterDigits(sign === minus || sign === 0x2b ? next + 2 : next + 1);
}

function afterDigits(from: usize): usize {
  let next = from;
  while (isDigit(load<u8>(next))) next++;
  return next === from ? fail(from) : next;
}

function isDigit(byte: u8): bool {
  return u8(byte - 0x30) < 10;
}

function afterBlanks(from: usize): usize {
  let next = from;
  while (isBlank(load<u8>(next))) next++;
  return next;
}

function isBlank(byte: u8): bool {
  // Usually it is none.
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
