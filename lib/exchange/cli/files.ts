import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { CommandRefusal } from "@/lib/exchange/cli/terminal";
import { chooseFiles, locateIn, type ReadDocument } from "@/lib/exchange/folder";
import { decodeFile, parseJsonFile, type PlacesIn } from "@/lib/exchange/policy-file";
import { byCodeUnit } from "@/lib/vocabulary/order";

/** UTF-8, perhaps with a byte-order mark. Throws CommandRefusal; FileRefusal for other bytes. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new CommandRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown reason"}`);
  });
  return decodeFile(file, bytes);
}

/** Throws CommandRefusal; FileRefusal with the place. */
export async function readJson(file: string): Promise<unknown> {
  return parseJsonFile(file, await readText(file));
}

/** `places`: what the server calls the file's content. Throws like `readJson`. */
export async function readJsonDocument(file: string, places: PlacesIn): Promise<ReadDocument> {
  const text = await readText(file);
  return { document: parseJsonFile(file, text), locate: (message) => locateIn(file, text, places, message) };
}

/** Adds files and lines to the server's refusal. */
export function locating(asked: Promise<unknown>, locate: ReadDocument["locate"] = (message) => message) {
  return asked.catch((error: unknown) => {
    if (!(error instanceof CommandRefusal)) throw error;
    throw new CommandRefusal(locate(error.message), error.data, error.lines, error.exitCode);
  });
}

/** `exchange.md` X1a; empty without a folder. Throws FileRefusal for other files that look like policy. */
export async function readFolder(place: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const file of chooseFiles((await listFolder(place, "")).toSorted(byCodeUnit))) {
    files.set(file, decodeFile(file, await readFile(path.join(place, file))));
  }
  return files;
}

/** Without hidden folders and packages. Follows links to folders only at the top. */
async function listFolder(place: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(place, folder), { withFileTypes: true }).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return [];
    throw code === "ENOTDIR" ? new CommandRefusal(`${place} is neither a folder nor a file that ends in .json`) : error;
  });
  const listed: string[] = [];
  for (const entry of entries) {
    const file = folder + entry.name;
    const isLink = folder === "" && entry.isSymbolicLink();
    const isFolder = isLink ? (await stat(path.join(place, file))).isDirectory() : entry.isDirectory();
    if (!isFolder) listed.push(file);
    else if (!entry.name.startsWith(".") && entry.name !== "node_modules") {
      listed.push(...(await listFolder(place, `${file}/`)));
    }
  }
  return listed;
}
