/** `exchange.md` X1a, X13. In the browser and on the command line. */
import { decodeUtf8 } from "@/lib/vocabulary/whole-text";
import { findRepeatedMember } from "@/lib/platform/http/read/json-members";

/** Maximum file size in bytes; the server accepts 16 MiB without whitespace. */
const maxBytes = 64 * 1_048_576;

export interface PolicyFile {
  readonly name: string;
  readonly document: unknown;
}

/** The message names the file and the place. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}

/** In the browser. Throws FileRefusal if the file is too large or not JSON. */
export async function readPolicyFile(file: File): Promise<PolicyFile> {
  const { name, size } = file;
  if (size > maxBytes) throw new FileRefusal(`${name} is too large: choose a file of at most 64 MB.`);
  return { name, document: parseJsonFile(name, decodeFile(name, new Uint8Array(await file.arrayBuffer()))) };
}

/** The text may begin with a byte-order mark. Throws FileRefusal for bytes that are not UTF-8. */
export function decodeFile(name: string, bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes);
  if ("problem" in decoded) throw new FileRefusal(`${name} ${decoded.problem}: save it as UTF-8`);
  return decoded.text;
}

/** Throws FileRefusal for a text that is not JSON, or an object with two members of the same name. */
export function parseJsonFile(name: string, text: string): unknown {
  const unmarked = text.replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(unmarked);
  } catch (error) {
    throw new FileRefusal(`${name} is not JSON: ${describeSyntax(error, unmarked)}`);
  }
  const twice = findRepeatedMember(unmarked);
  if (twice === null) return value;
  throw new FileRefusal(`${name} has the member ${twice.name} twice: ${describePlace(unmarked, twice.at)}`);
}

/** Browsers report the place in different ways, or not at all. */
export function describeSyntax(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "it cannot be read";
  const [reason = "", rest] = message.split(/ in JSON at position | at line \d/);
  const at = /end of (?:JSON|data|the)/i.test(message) ? text.length : readPosition(message, rest);
  return at === null ? message : `${describePlace(text, at)}: ${reason}`;
}

function describePlace(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function readPosition(message: string, rest: string | undefined): number | null {
  const position = Number.parseInt(rest ?? "", 10);
  return message.includes("at position") && Number.isSafeInteger(position) ? position : null;
}

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds names to `document.groups.3.rpcs must be an array`: "policy.json: groups › Base-4.rpcs must …" */
export function describeRefusal(message: string, { name, document }: PolicyFile): string {
  const told = replacePlaces(message, ([member, index, ...rest]) => {
    if (member === undefined) return "the file";
    if (index === undefined) return member;
    const isItem = /^\d+$/.test(index);
    const what = isItem ? `${member} › ${nameOfItem(document, member, Number(index))}` : `${member}.${index}`;
    return [what, ...rest].join(".");
  });
  return `${name}: ${told}`;
}

/** The members of bodies that come from a file. "Make another plan" is no place. */
const placesIn = {
  document: /\b(?:the )?document\b((?:\.[^\s.,:;()[\]]+|\[\d+\])*)/g,
  plan: /^plan\b((?:\.[^\s.,:;()[\]]+|\[\d+\])*)/g,
} as const;
export type PlacesIn = keyof typeof placesIn;

/** Replaces what a message says of places in the member of a body, such as `document.groups[3].name`. */
export function replacePlaces(
  message: string,
  describe: (steps: readonly string[]) => string,
  places: PlacesIn = "document",
): string {
  return message.replaceAll(placesIn[places], (_whole, steps: string) =>
    describe(steps.split(/[.[\]]+/).filter((step) => step !== "")),
  );
}

/** The name of a list element, or its number, counted from 1. */
function nameOfItem(document: unknown, member: string, index: number): string {
  const list = isMembers(document) ? document[member] : undefined;
  const item: unknown = Array.isArray(list) ? list[index] : undefined;
  const { name, message_category: category, uuid } = isMembers(item) ? item : {};
  const known = [name, category, uuid].find((one) => typeof one === "string" && one !== "");
  return typeof known === "string" ? known : `number ${index + 1}`;
}
