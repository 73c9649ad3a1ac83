/** Reads configuration files in the browser (`exchange.md` X13). */
import { errorNamed } from "@/lib/platform/errors";

/** Maximum file size in bytes; the server accepts 16 MiB without whitespace. */
const maxBytes = 64 * 1_048_576;

export interface PolicyFile {
  readonly name: string;
  readonly document: unknown;
}

/** An error whose message names the file and the place. */
class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}
export const isFileRefusal = errorNamed<FileRefusal>("FileRefusal");

/** Reads a file. @throws FileRefusal if it is too large or not JSON */
export async function readPolicyFile(file: File): Promise<PolicyFile> {
  const { name, size } = file;
  if (size > maxBytes) throw new FileRefusal(`${name} is too large: choose a file of at most 64 MB.`);
  const text = await file.text();
  try {
    return { name, document: JSON.parse(text) };
  } catch (error) {
    throw new FileRefusal(`${name} is not JSON: ${describeSyntax(error, text)}`);
  }
}

/** What is wrong with a text, and where. Browsers report the place in different ways, or not at all. */
export function describeSyntax(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : "it cannot be read";
  const [reason = "", rest] = message.split(/ in JSON at position | at line \d/);
  const at = /end of (?:JSON|data|the)/i.test(message) ? text.length : readPosition(message, rest);
  if (at === null) return message;
  const before = text.slice(0, at).split("\n");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${reason}`;
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
  const told = message.replaceAll(
    /\b(?:the )?document\b(?:\.(\w+))?(?:\.(\d+)|\[(\d+)\])?/g,
    (_whole, member?: string, dotted?: string, bracketed?: string) => {
      if (member === undefined) return "the file";
      const index = dotted ?? bracketed;
      return index === undefined ? member : `${member} › ${nameOfItem(document, member, Number(index))}`;
    },
  );
  return `${name}: ${told}`;
}

/** The name of a list element, or its number, counted from 1. */
function nameOfItem(document: unknown, member: string, index: number): string {
  const list = isMembers(document) ? document[member] : undefined;
  const item: unknown = Array.isArray(list) ? list[index] : undefined;
  const { name, message_category: category, uuid } = isMembers(item) ? item : {};
  const known = [name, category, uuid].find((one) => typeof one === "string" && one !== "");
  return typeof known === "string" ? known : `number ${index + 1}`;
}
