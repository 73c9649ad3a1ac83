"one per process";

import { JsonTooDeep } from "@/lib/platform/http/read/json-depth";
import { jsonWasm } from "@/lib/policy/answer/json-wasm";
import { longestName, Sent } from "@/lib/policy/rollout/sent";

// No answer needs nine tenths of a request, and building values from these takes a worker four times as long as passing over
// them (ADR 87).

/** Which members of an object are kept: the named ones, or all in the same way. `lengths`: a bit for each length of a name. */
type Kept = { readonly lengths: number; readonly members: Members } | { readonly lengths: -1; readonly every: Kept };
type Members = readonly (readonly [name: string, kept: Kept | keyof typeof readers])[];

function keep(...members: Members): Kept {
  return { members, lengths: members.map(([name]) => 1 << name.length).reduce((bits, bit) => bits | bit, 0) };
}

const object = keep();
const keptApart = (messages: Kept, devices: Kept | "leastName", groups: Kept | "object", ...more: Members) =>
  keep([
    "policy_table",
    keep(
      ["app_policies", { every: keep(["enabled", "value"], ["auth_token", "value"]), lengths: -1 }],
      ["consumer_friendly_messages", messages],
      ["device_data", devices],
      ["functional_groupings", groups],
      ["module_config", keep(["full_app_id_supported", "value"])],
      ["usage_and_error_counts", object],
      ...more,
    ),
  ]);
const version = keep(["version", "text"]);
const vehicleData = ["vehicle_data", keep(["schema_version", "text"])] as const;
const keptOfBody = {
  /** What an answer depends on. */
  answer: keptApart(object, object, object),
  /** In addition what a rollout for all vehicles depends on: which one it is, and what it has of a release. */
  rollout: keptApart(version, "leastName", "object", ["module_meta", keep(["vin", "text"])], vehicleData),
  /** In addition what a rollout for some vehicles depends on. */
  restricted: keptApart(
    version,
    "leastName",
    "object",
    [
      "module_meta",
      keep(["vin", "text"], ["wers_country_code", "text"], ["ccpu_version", "text"], ["hardware_version", "text"]),
    ],
    vehicleData,
  ),
};
export type KeptOfRequest = keyof typeof keptOfBody;

/** What `wasm/json.ts` exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly textStart: WebAssembly.Global<"i32">;
  readonly at: WebAssembly.Global<"i32">;
  begin(length: number, limit: number): void;
  isOver(): number;
  skip(depth: number): number;
  enter(depth: number): number;
  member(lengths: number, depth: number): number;
}

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(jsonWasm, "base64")));
const pass = exports as unknown as Exports;
const memory = new Uint8Array(pass.memory.buffer);
/** The position of the last name or value, and the one after it. */
const found = new Int32Array(pass.memory.buffer, 0, 2);
const start = pass.textStart.value;
/** What `member` returns for a name with a backslash. */
const escaped = 2;

/**
 * Reads UTF-8 like `JSON.parse`, but keeps only what answers depend on; null if the body is JSON but not an object.
 * `limit` is the maximum nesting (`{}` has 1; at most 64). `kept`: for a rollout more is kept, as `Sent`, also the groups;
 * of the devices only the least name. Throws SyntaxError for what `JSON.parse` refuses; JsonTooDeep.
 */
export function readRequestBytes(bytes: Buffer, limit: number, kept: KeptOfRequest = "answer"): object | null {
  beginJson(bytes, limit);
  const value = readObject(bytes, keptOfBody[kept], 0);
  if (pass.isOver() === 0) throw malformed;
  return value;
}

/** Before `skipJson`: which bytes it reads, until others are. At most 1 MiB. */
export function beginJson(bytes: Buffer, limit: number): void {
  memory.set(bytes, start);
  pass.begin(bytes.length, limit);
}

/** Skips a value and the blanks before it. Returns the position after it, or where it is no JSON or nested too deep. */
export function skipJson(at: number): { readonly isJson: boolean; readonly end: number } {
  pass.at.value = start + at;
  const isJson = pass.skip(0) > 0;
  return { isJson, end: pass.at.value - start };
}

/**
 * The members of an object, or of its member `within`, with the bytes of their values; of a repeated name the last one, as
 * in `JSON.parse`. Null: no object, or more than `most` members. At most 1 MiB. Throws like `readRequestBytes`.
 */
export function readMembers(
  bytes: Buffer,
  limit: number,
  most: number,
  within?: string,
): ReadonlyMap<string, Buffer> | null {
  beginJson(bytes, limit);
  if (within === undefined) return membersHere(bytes, most, 0);
  if (checked(pass.enter(0)) === 0) return null;
  let members: ReadonlyMap<string, Buffer> | null = null;
  for (;;) {
    const state = checked(pass.member(-1, 1));
    if (state === 0) return members;
    if (readName(bytes, state) === within) members = membersHere(bytes, most, 1);
    else checked(pass.skip(1));
  }
}

function membersHere(bytes: Buffer, most: number, depth: number): ReadonlyMap<string, Buffer> | null {
  if (checked(pass.enter(depth)) === 0) return null;
  const members = new Map<string, Buffer>();
  for (;;) {
    const state = checked(pass.member(-1, depth + 1));
    if (state === 0) return members.size > most ? null : members;
    const name = members.size > most ? null : readName(bytes, state);
    checked(pass.skip(depth + 1));
    if (name !== null) members.set(name, bytes.subarray((found[0] ?? 0) - start, (found[1] ?? 0) - start));
  }
}

/** The kept part of a value; null if it is not an object. `depth` is the number of open values around it. */
function readObject(bytes: Buffer, kept: Kept, depth: number): object | null {
  if (checked(pass.enter(depth)) === 0) return null;
  // No prototype where names may be any, so that `__proto__` is an ordinary one.
  const value = Object.create("every" in kept ? null : Object.prototype) as Record<string, unknown>;
  for (;;) {
    const state = checked(pass.member(kept.lengths, depth + 1));
    if (state === 0) return value;
    if ("every" in kept) {
      const name = readName(bytes, state);
      value[name] = readObject(bytes, kept.every, depth + 1);
    } else readMember(value, kept.members, bytes, state, depth + 1);
  }
}

/** Most names that are not kept differ in length, so the pass does not stop for them. */
function readMember(value: Record<string, unknown>, members: Members, bytes: Buffer, state: number, depth: number) {
  for (const [name, kept] of members) {
    if (!(state === escaped ? readName(bytes, state) === name : isHere(name))) continue;
    value[name] = typeof kept === "string" ? readers[kept](bytes, depth) : readObject(bytes, kept, depth);
    return;
  }
  checked(pass.skip(depth));
}

function readValue(bytes: Buffer, depth: number): unknown {
  checked(pass.skip(depth));
  const byte = memory[found[0] ?? 0];
  // Most values are booleans, already validated, which need neither a text nor parsing.
  if (byte === 0x74 || byte === 0x66) return byte === 0x74;
  return JSON.parse(textHere(bytes));
}

/** A text without its quotes; null for another value. */
function readText(bytes: Buffer, depth: number): Sent | null {
  checked(pass.skip(depth));
  const [from = 0, to = 0] = found;
  return memory[from] === 0x22 ? new Sent(bytes, from + 1 - start, to - 1 - start) : null;
}

function readObjectText(bytes: Buffer, depth: number): Sent | null {
  checked(pass.skip(depth));
  const [from = 0, to = 0] = found;
  return memory[from] === 0x7b ? new Sent(bytes, from - start, to - start) : null;
}

/** The least name of an object, by bytes, of those that tell anything; null for another value. */
function readLeastName(bytes: Buffer, depth: number): Sent | null {
  if (checked(pass.enter(depth)) === 0) return null;
  let [from, to] = [start, start];
  while (checked(pass.member(-1, depth + 1)) !== 0) {
    const [next = 0, end = 0] = found;
    checked(pass.skip(depth + 1));
    if (end > next && end - next <= longestName && (from === to || isBefore(next, end, from, to)))
      [from, to] = [next, end];
  }
  return new Sent(bytes, from - start, to - start);
}

function isBefore(from: number, to: number, otherFrom: number, otherTo: number): boolean {
  const length = Math.min(to - from, otherTo - otherFrom);
  for (let at = 0; at < length; at++) {
    const difference = (memory[from + at] ?? 0) - (memory[otherFrom + at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return to - from < otherTo - otherFrom;
}

const readers = { value: readValue, text: readText, object: readObjectText, leastName: readLeastName };

function readName(bytes: Buffer, state: number): string {
  const name = textHere(bytes);
  return state === escaped ? (JSON.parse(`"${name}"`) as string) : name;
}

function textHere(bytes: Buffer): string {
  return bytes.toString("utf8", (found[0] ?? 0) - start, (found[1] ?? 0) - start);
}

function isHere(name: string): boolean {
  const from = found[0] ?? 0;
  if (name.length !== (found[1] ?? 0) - from) return false;
  for (let at = 0; at < name.length; at++) if (memory[from + at] !== name.charCodeAt(at)) return false;
  return true;
}

/** Created once: it is thrown so often that recording stack traces would take longer than the pass. */
const malformed = new SyntaxError("the body is no JSON");

function checked(code: number): number {
  if (code >= 0) return code;
  throw code === -2 ? new JsonTooDeep() : malformed;
}
