import { maxAppIds } from "@/lib/policy/answer/policy-request";
import { beginJson, skipJson } from "@/lib/policy/answer/request-bytes";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";

// If a name in a request has a quote or another script, the SDL library for Android drops every backslash and writes
// the low byte of each character. The result is often not JSON, and never will be: the names come from the car's own
// table.

/** The members of a policy table. Each of them ends the previous one, however garbled that is. */
const tableMembers: ReadonlySet<string> = new Set([
  ...["app_policies", "consumer_friendly_messages", "device_data", "functional_groupings", "module_config"],
  ...["module_meta", "usage_and_error_counts", "vehicle_data"],
]);
/** Members of an app's entry that contain an object; their names are not app ids. */
const innerMembers: ReadonlySet<string> = new Set(["app_services", "MEDIA", "NAVIGATION", "WEATHER"]);

const entryEnds = ["}", "null", '"default"', '"device"', '"pre_DataConsent"'];

interface Member {
  readonly from: number;
  readonly name: string;
  /** Position of its value. */
  readonly value: number;
}

/** What can be read of a body that is not JSON, in linear time (rule Q2); null if no app id was found. */
export function scanRequestBytes(bytes: Buffer, limit: number): object | null {
  const { ids, config } = new RequestScan(bytes, limit).table();
  if (ids.length === 0) return null;
  const apps = Object.create(null) as Record<string, null>;
  for (const id of ids) apps[id] = null;
  const others = [...tableMembers].map((name) => [name, {}] as const);
  return { ...Object.fromEntries(others), app_policies: apps, module_config: config };
}

class RequestScan {
  readonly #bytes: Buffer;
  /** One character per byte. */
  readonly #text: string;
  /** Parsing everything before this position as JSON has already failed; trying again would take quadratic time. */
  #tried = 0;

  constructor(bytes: Buffer, limit: number) {
    beginJson(bytes, limit);
    this.#bytes = bytes;
    this.#text = bytes.toString("latin1");
  }

  table(): { readonly ids: readonly string[]; readonly config: object } {
    const ids: string[] = [];
    let config = {};
    // Set within a garbled `module_config`, whose members are found one by one.
    let isInConfig = false;
    for (let at = 0; ;) {
      const member = this.#memberFrom(at);
      if (member === null) return { ids, config };
      const { name, value } = member;
      if (name === "app_policies" && this.#text[value] === "{") {
        // The last one counts, as in JSON.
        ids.length = 0;
        isInConfig = false;
        at = this.#readApps(value + 1, ids);
        continue;
      }
      const end = name === "policy_table" ? null : this.#endOfValue(value);
      if (name === "module_config") {
        config = end === null ? {} : this.#readConfig(value, end);
        isInConfig = end === null;
      } else if (tableMembers.has(name)) isInConfig = false;
      else if (isInConfig && name === "full_app_id_supported") config = this.#supportFrom(value);
      at = end ?? value;
    }
  }

  #readApps(from: number, ids: string[]): number {
    // If the last value was JSON, the next name is the next app's; otherwise it may be anything.
    let isExact = true;
    for (let at = from; ;) {
      const next = this.#afterBlanks(at);
      const member = this.#memberFrom(at);
      if (member === null) return this.#text.length;
      if (tableMembers.has(member.name)) return member.from;
      const isNext = isExact && member.from === next;
      if (!(isNext ? this.#isEntry(member.value) : this.#isLikelyApp(member))) {
        isExact = false;
        // Its members may have any name.
        at = (member.name === "app_services" ? this.#endOfValue(member.value) : null) ?? member.value;
        continue;
      }
      ids.push(this.#decode(member));
      // More than a request may name: it is refused whatever follows.
      if (ids.length > maxAppIds + fixedEntryNames.length) return this.#text.length;
      const end = this.#endOfValue(member.value);
      isExact = end !== null;
      at = end === null ? member.value + 1 : this.#text[end] === "," ? end + 1 : end;
    }
  }

  #isEntry(at: number): boolean {
    return this.#text[at] === "{" || this.#text[at] === '"' || this.#text.startsWith("null", at);
  }

  /** Whether this follows an entry and starts one; inside entries only `innerMembers` look like that. */
  #isLikelyApp({ from, name, value }: Member): boolean {
    const before = this.#beforeBlanks(from);
    if (this.#text[before] !== "," || name === "" || innerMembers.has(name)) return false;
    const last = this.#beforeBlanks(before) + 1;
    if (!entryEnds.some((end) => this.#text.startsWith(end, last - end.length))) return false;
    if (this.#text[value] === "{") return this.#isObjectStart(value);
    return this.#text.startsWith("null", value) || this.#text.startsWith('"default"', value);
  }

  /** Whether an object starts here, not just a brace in a name. */
  #isObjectStart(at: number): boolean {
    const first = this.#afterBlanks(at + 1);
    return this.#text[first] === "}" || this.#memberFrom(first)?.from === first;
  }

  #readConfig(from: number, to: number): object {
    const config: unknown = JSON.parse(this.#bytes.toString("utf8", from, to));
    return typeof config === "object" && config !== null && !Array.isArray(config) ? config : {};
  }

  #supportFrom(at: number): object {
    return { full_app_id_supported: this.#text.startsWith("true", at) };
  }

  /** The end of a valid JSON value followed by another one or by an end; null otherwise. */
  #endOfValue(at: number): number | null {
    if (at < this.#tried) return null;
    const { isJson, end: next } = skipJson(at);
    if (!isJson) {
      this.#tried = next;
      return null;
    }
    const end = this.#afterBlanks(next);
    if (this.#text[end] === "," || this.#text[end] === "}") return end;
    this.#tried = end;
    return null;
  }

  #memberFrom(at: number): Member | null {
    for (let from = this.#text.indexOf('"', at); from !== -1;) {
      const end = this.#text.indexOf('"', from + 1);
      if (end === -1) return null;
      const colon = this.#afterBlanks(end + 1);
      if (this.#text[colon] === ":") {
        const name = this.#text.slice(from + 1, end);
        if (!hasControls.test(name)) return { from, name, value: this.#afterBlanks(colon + 1) };
      }
      from = end;
    }
    return null;
  }

  #decode({ from, name }: Member): string {
    const text = this.#bytes.toString("utf8", from + 1, from + 1 + name.length);
    if (!name.includes("\\")) return text;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return text;
    }
  }

  #afterBlanks(from: number): number {
    let at = from;
    while (isBlank(this.#text[at])) at++;
    return at;
  }

  #beforeBlanks(from: number): number {
    let at = from - 1;
    while (isBlank(this.#text[at])) at--;
    return at;
  }
}

const hasControls = /[\0-\x1f]/;
const isBlank = (character: string | undefined) =>
  character === " " || character === "\n" || character === "\r" || character === "\t";
