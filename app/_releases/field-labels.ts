/** What changed fields are called and how their values are shown. */

/** Members that only hold others: the name of what they hold says enough. */
const containers = new Set(["rpcs", "languages", "params", "permissions", "messages"]);
const wordsOf: Readonly<Record<string, string>> = {
  hmi_levels: "HMI levels",
  user_consent_prompt: "Consent prompt",
  is_deleted: "Deleted",
  tts: "Spoken text",
  line1: "Line 1",
  line2: "Line 2",
  text_body: "Body text",
  label: "Label",
};

/** "rpcs.Alert.hmi_levels" as "Alert › HMI levels". */
export function describePath(path: string): string {
  const parts = path.split(".");
  const shown = parts.filter((part, index) => index === parts.length - 1 || !containers.has(part));
  return shown.map((part, index) => (index === shown.length - 1 ? describeMember(part) : part)).join(" › ");
}

/** Names of the field stay as they are; members are words. */
function describeMember(name: string): string {
  const known = wordsOf[name];
  if (known !== undefined) return known;
  if (!/^[a-z]+(_[a-z0-9]+)+$/.test(name) && !/^[a-z]+$/.test(name)) return name;
  const words = name.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

type Plain = string | number | boolean;
const isPlain = (value: unknown): value is Plain => ["string", "number", "boolean"].includes(typeof value);

export interface ListedWord {
  readonly word: string;
  readonly state: "kept" | "added" | "removed";
}

/** Two lists of words as one, where both are lists of words, or one is not there; null for everything else. */
export function mergeWords(before: unknown, after: unknown): readonly ListedWord[] | null {
  const [old, now] = [readWords(before), readWords(after)];
  if (old === null || now === null || (!Array.isArray(before) && !Array.isArray(after))) return null;
  return [
    ...now.map((word): ListedWord => ({ word, state: old.includes(word) ? "kept" : "added" })),
    ...old.filter((word) => !now.includes(word)).map((word): ListedWord => ({ word, state: "removed" })),
  ];
}

function readWords(value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) && value.every(isPlain) ? value.map(String) : null;
}
