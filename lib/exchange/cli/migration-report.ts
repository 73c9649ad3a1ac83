import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { CommandRefusal } from "@/lib/exchange/cli/terminal";
import { maskCredentials } from "@/lib/platform/log";

/** `exchange.md` X6c. Only its owner can read it; replaced atomically. Throws CommandRefusal before anything else. */
async function beginReport(file: string, content: Readonly<Record<string, unknown>>) {
  const draft = `${file}.part`;
  const write = async (text: string) => {
    // A killed run may have left it, with any mode.
    await rm(draft, { force: true });
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  };
  const save = async (current: Readonly<Record<string, unknown>>) => {
    try {
      await write(`${JSON.stringify(withoutSecrets(current), null, 2)}\n`);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw new CommandRefusal(`The report cannot be written to ${file}: ${reasonOf(error)}`);
    }
  };
  await save(content);
  return save;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EACCES: "you may not write to its folder",
  EPERM: "you may not write to its folder",
  EROFS: "its disk is read-only",
  EISDIR: "it is a folder",
  ENOSPC: "its disk is full",
};
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  return reasons["code" in error ? String(error.code) : ""] ?? error.message;
}

const secretMembers = new Set(["certificate", "privateKey", "private_key", "container", "password"]);
const valueMembers = new Set(["before", "after", "there", "here"]);
const pemKey = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;

/** Results safe to show and store: keys, containers and certificates as hashes, addresses without passwords. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return maskCredentials(value).replace(pemKey, "[private key]");
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const members = Object.entries(value);
  // The `certificate` of a policy table also contains the key; a difference names it by its path.
  const isOfKey = members.some(([name, path]) => name === "path" && /(?:^|\.)certificate$/.test(String(path)));
  return Object.fromEntries(
    members.map(([name, member]) => {
      const isSecret = secretMembers.has(name) || (isOfKey && valueMembers.has(name));
      return [name, isSecret && typeof member === "string" ? hashOf(member) : withoutSecrets(member)];
    }),
  );
}

/** Shows whether two values are equal, and nothing else. */
const hashOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;

export interface Journal {
  /** A failed write to the report does not end the run, because data is already stored. */
  readonly tell: (found: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Why the report is incomplete; null if it is complete. */
  readonly problem: () => string | null;
}

/**
 * `exchange.md` X6c. `first` is known before anything is read; `file` undefined: no report. Throws CommandRefusal if
 * the report cannot be written, before anything else.
 */
export async function withReport<T>(
  file: string | undefined,
  first: Readonly<Record<string, unknown>>,
  run: (journal: Journal) => Promise<T>,
): Promise<T> {
  let found: Readonly<Record<string, unknown>> = { state: "started", ...first };
  const save = file === undefined ? undefined : await beginReport(file, found);
  let problem: string | null = null;
  const tell: Journal["tell"] = async (more) => {
    found = { ...found, ...more };
    await save?.(found).then(
      () => (problem = null),
      (error: unknown) => (problem = error instanceof Error ? error.message : "The report cannot be written"),
    );
  };
  try {
    return await run({ tell, problem: () => problem });
  } catch (error) {
    const message = error instanceof Error ? error.message : "unknown";
    const details = error instanceof CommandRefusal && error.lines.length > 0 ? { details: error.lines } : {};
    await tell({ failed_after: found.state, state: "failed", error: message, ...details });
    throw error;
  }
}
