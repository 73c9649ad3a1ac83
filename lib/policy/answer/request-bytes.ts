"one per process";

import { JsonTooDeep } from "@/lib/platform/http/read/json-depth";
import { jsonWasm } from "@/lib/policy/answer/json-wasm";
import { longestName, Sent, telling, type VehicleFacts } from "@/lib/policy/rollout/sent";

// No answer needs nine tenths of a request. Building values of those takes four times as long as passing over them (ADR 87).

/** What is kept of an object. One shape for all, which is read faster. */
interface Kept {
  /** A bit for each length of a name that is kept; -1: any. */
  readonly lengths: number;
  readonly members: readonly (readonly [name: string, kept: Kept | "value" | KeptFacts])[];
  readonly every: Kept | null;
}
/** Which facts a member tells; `car`: only the VIN. */
type KeptFacts = "messages" | "device" | "groups" | "car" | "restrictedCar" | "vehicleData";

const keep = (...members: Kept["members"]): Kept => ({
  ...{ lengths: members.reduce((bits, [{ length }]) => bits | (1 << length), 0), members, every: null },
});

const object = keep();
const appPolicies = { lengths: -1, members: [], every: keep(["enabled", "value"], ["auth_token", "value"]) };
const keptFor = (...members: Kept["members"]) =>
  keep([
    "policy_table",
    keep(
      ["app_policies", appPolicies],
      ["module_config", keep(["full_app_id_supported", "value"])],
      ["usage_and_error_counts", object],
      ...members,
    ),
  ]);
const keptForRollout = (car: KeptFacts) =>
  keptFor(
    ["consumer_friendly_messages", "messages"],
    ["device_data", "device"],
    ["functional_groupings", "groups"],
    ["module_meta", car],
    ["vehicle_data", "vehicleData"],
  );
const keptOfBody = {
  /** What an answer depends on. */
  answer: keptFor(["consumer_friendly_messages", object], ["device_data", object], ["functional_groupings", object]),
  /** In addition what a rollout for all vehicles depends on: which one it is, and what it has of a release. */
  rollout: keptForRollout("car"),
  /** In addition what a rollout for some vehicles depends on. */
  restricted: keptForRollout("restrictedCar"),
};

/** What `wasm/json.ts` exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly textStart: WebAssembly.Global<"i32">;
  readonly at: WebAssembly.Global<"i32">;
  readonly slotsStart: WebAssembly.Global<"i32">;
  readonly slotSize: WebAssembly.Global<"i32">;
  readonly foundAt: WebAssembly.Global<"i32">;
  begin(length: number, limit: number): void;
  isOver(): number;
  skip(depth: number): number;
  enter(depth: number): number;
  member(lengths: number, depth: number): number;
  find(first: number, last: number, depth: number): number;
  least(longest: number, depth: number): number;
}

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(jsonWasm, "base64")));
const pass = exports as unknown as Exports;
const memory = new Uint8Array(pass.memory.buffer);
/** At 0 and 1 the position of the last name or value, and the one after it. */
const found = new Int32Array(pass.memory.buffer);
const start = pass.textStart.value;
const foundAt = pass.foundAt.value;
/** Of texts that are facts. Names have at most 28 bytes, and are not known if they were sent with a backslash. */
const slots = {
  version: slotOf(0, "version"),
  schemaVersion: slotOf(1, "schema_version"),
  vin: slotOf(2, "vin"),
  country: slotOf(3, "wers_country_code"),
  software: slotOf(4, "ccpu_version"),
  hardware: slotOf(5, "hardware_version"),
  end: slotOf(6, ""),
};

function slotOf(index: number, name: string): number {
  const slot = pass.slotsStart.value + index * pass.slotSize.value;
  found[slot / 4] = name.length;
  memory.set(Buffer.from(name), slot + 4);
  return slot;
}

/** Where the objects begin that `readVersions` reads; 0: they were not sent. */
const later = { messages: 0, vehicleData: 0 };
const depthInTable = 2;
/** What `member` returns for a name with a backslash. */
const escaped = 2;

/**
 * Reads UTF-8 like `JSON.parse`, but keeps only what answers depend on; null if the body is JSON but not an object.
 * `limit` is the maximum nesting (`{}` has 1; at most 64). `facts`: where to put what a rollout depends on, without
 * the versions; of a restricted one also what that is. Throws SyntaxError for what `JSON.parse` refuses; JsonTooDeep.
 */
export function readRequestBytes(
  bytes: Buffer,
  limit: number,
  facts: VehicleFacts | null = null,
  isRestricted = false,
): object | null {
  beginJson(bytes, limit);
  if (facts !== null) forget(facts);
  const kept = keptOfBody[facts === null ? "answer" : isRestricted ? "restricted" : "rollout"];
  const value = readObject(bytes, kept, 0, facts);
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
function readObject(bytes: Buffer, kept: Kept, depth: number, facts: VehicleFacts | null): object | null {
  if (checked(pass.enter(depth)) === 0) return null;
  // No prototype where names may be any, so that `__proto__` is an ordinary one.
  const value = (kept.every === null ? {} : Object.create(null)) as Record<string, unknown>;
  for (;;) {
    const state = checked(pass.member(kept.lengths, depth + 1));
    if (state === 0) return value;
    if (kept.every !== null) {
      const name = readName(bytes, state);
      value[name] = readObject(bytes, kept.every, depth + 1, null);
    } else readMember(value, kept.members, bytes, state, depth + 1, facts);
  }
}

/** Most names that are not kept differ in length, so the pass does not stop for them. */
function readMember(
  value: Record<string, unknown>,
  members: Kept["members"],
  bytes: Buffer,
  state: number,
  depth: number,
  facts: VehicleFacts | null,
) {
  for (const [name, kept] of members) {
    if (!(state === escaped ? readName(bytes, state) === name : isHere(name))) continue;
    if (kept === "value") value[name] = readValue(bytes, depth);
    else if (typeof kept === "object") {
      // Of a repeated table, nothing of the earlier one counts.
      if (depth === 1 && facts !== null) forget(facts);
      value[name] = readObject(bytes, kept, depth, facts);
    } else if (facts !== null) {
      const isObject = readFacts(bytes, kept, depth, facts);
      // Of the others, an answer needs not even this.
      if (kept === "messages" || kept === "device" || kept === "groups") value[name] = isObject ? {} : null;
    }
    return;
  }
  checked(pass.skip(depth));
}

/** Whether the value is an object. Versions are read later, because vehicles with a VIN don't need them. */
function readFacts(bytes: Buffer, kept: KeptFacts, depth: number, facts: VehicleFacts): boolean {
  if (kept === "car" || kept === "restrictedCar") {
    const isRestricted = kept === "restrictedCar";
    const isObject = checked(pass.find(slots.vin, isRestricted ? slots.end : slots.country, depth)) === 1;
    facts.vin = textAt(bytes, slots.vin);
    if (isRestricted) {
      facts.country = textAt(bytes, slots.country);
      facts.software = textAt(bytes, slots.software);
      facts.hardware = textAt(bytes, slots.hardware);
    }
    return isObject;
  }
  if (kept === "device") {
    const isObject = checked(pass.least(longestName, depth)) === 1;
    facts.device = isObject ? telling(sentAt(bytes, 0, 0)) : null;
    return isObject;
  }
  checked(pass.skip(depth));
  const from = found[0] ?? 0;
  const isObject = memory[from] === 0x7b;
  if (kept === "groups") facts.groups = isObject ? sentAt(bytes, 0, 0) : null;
  else later[kept] = isObject ? from : 0;
  return isObject;
}

/** After `readRequestBytes` of the same bytes: the versions, for vehicles without a VIN and while a rollout is paused. */
export function readVersions(bytes: Buffer, facts: VehicleFacts): void {
  if (goTo(later.messages)) {
    checked(pass.find(slots.version, slots.schemaVersion, depthInTable));
    facts.messagesVersion = textAt(bytes, slots.version);
  }
  if (goTo(later.vehicleData)) {
    checked(pass.find(slots.schemaVersion, slots.vin, depthInTable));
    facts.schemaVersion = textAt(bytes, slots.schemaVersion);
  }
}

function forget(facts: VehicleFacts): void {
  facts.clear();
  later.messages = later.vehicleData = 0;
}

function goTo(at: number): boolean {
  if (at > 0) pass.at.value = at;
  return at > 0;
}

function textAt(bytes: Buffer, slot: number): Sent | null {
  const place = (slot + foundAt) / 4;
  const from = found[place] ?? 0;
  return from >= start && memory[from] === 0x22 ? telling(sentAt(bytes, place, 1)) : null;
}

function sentAt(bytes: Buffer, place: number, quotes: number): Sent {
  return new Sent(bytes, (found[place] ?? 0) - start + quotes, (found[place + 1] ?? 0) - start - quotes);
}

function readValue(bytes: Buffer, depth: number): unknown {
  checked(pass.skip(depth));
  const byte = memory[found[0] ?? 0];
  // Most values are booleans, already validated, which need neither a text nor parsing.
  if (byte === 0x74 || byte === 0x66) return byte === 0x74;
  return JSON.parse(textHere(bytes));
}

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
