import { jsonText } from "@/lib/policy/table/json-text";

/**
 * A member of a section: a group or a message. Made once from its record, and shared by all tables that contain it, so
 * what is known about one stays known in the next table.
 */
export class TablePart {
  readonly name: string;
  readonly json: string;
  #value: unknown;

  constructor(name: string, json: string) {
    this.name = name;
    this.json = json;
  }

  get text(): string {
    return `${jsonText(this.name)}:${this.json}`;
  }

  /** The member as in a parsed table; its value is frozen, so it may be checked once. */
  get member(): readonly [name: string, value: unknown] {
    this.#value ??= Object.freeze(JSON.parse(this.json));
    return [JSON.parse(jsonText(this.name)) as string, this.#value];
  }
}

/** A section with these members, in this order. */
export function partsText(parts: readonly TablePart[]): string {
  return `{${parts.map(({ text }) => text).join(",")}}`;
}
