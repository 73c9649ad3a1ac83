/** A document as a folder of files (`exchange.md` X1). */
import { createHash } from "node:crypto";
import { Document, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { canonical } from "@/lib/content/records/file-form";
import { fileForm, fileForms } from "@/lib/content/file-forms";
import { exchangeFormat } from "@/lib/exchange/schema";
import { errorNamed } from "@/lib/platform/errors";
import { namesOf } from "@/lib/labels/members";
import { byCodeUnit } from "@/lib/labels/order";

const forms = namesOf(fileForms).map(fileForm);
const placesOf = (isSingle: boolean) =>
  forms.filter((form) => (form.isSingle ?? false) === isSingle).map(({ place, member }) => [place, member] as const);
/** Folders with one file per item, and the members of a document that they contain. */
export const itemFolders = new Map(placesOf(false));
/** Files next to these folders. */
export const singleFiles = new Map([...placesOf(true), ["apps.yaml", "apps"]]);

/** A file that does not belong to a document. The message names it. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
}
export const isFileRefusal = errorNamed<FileRefusal>("FileRefusal");

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The content of every file of a document, by its path in the folder. */
export function listFiles(document: object): ReadonlyMap<string, unknown> {
  const members = new Map(Object.entries(document));
  const files = new Map<string, unknown>();
  for (const [folder, member] of itemFolders) {
    const items: unknown = members.get(member);
    const taken = new Set<string>();
    for (const item of Array.isArray(items) ? items : []) files.set(`${folder}/${fileNameOf(item, taken)}`, item);
  }
  for (const [file, member] of singleFiles) {
    if (members.has(member)) files.set(file, members.get(member));
  }
  return files;
}

const longestName = 100;

/** A file name that is valid and unique on every file system, even if it ignores case. */
function fileNameOf(item: unknown, taken: Set<string>): string {
  const { name, message_category: category } = isMembers(item) ? item : {};
  const key = String(name ?? category);
  const safe = key.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
  const isSame = safe === key && key.length <= longestName && !taken.has(key.toLowerCase());
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 8);
  const chosen = isSame ? key : `${safe.slice(0, longestName)}.${digest}`;
  taken.add(chosen.toLowerCase());
  return `${chosen}.yaml`;
}

/**
 * Builds a document from files.
 *
 * @param files texts by their paths in the folder
 * @throws FileRefusal for a file that is not YAML
 */
export function readFiles(files: ReadonlyMap<string, string>): object {
  const document: Record<string, unknown> = { format: exchangeFormat };
  const lists = new Map<string, unknown[]>();
  for (const [file, text] of [...files].sort(([a], [b]) => byCodeUnit(a, b))) {
    const [folder = ""] = file.split("/");
    const list = itemFolders.get(folder);
    const single = singleFiles.get(file);
    const value = () => parseYaml(file, text).toJS() as unknown;
    if (list !== undefined) lists.set(list, [...(lists.get(list) ?? []), value()]);
    else if (single !== undefined) document[single] = value();
  }
  return { ...document, ...Object.fromEntries(lists) };
}

function parseYaml(file: string, text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new FileRefusal(`${file} is not YAML: ${error.message.split("\n")[0] ?? ""}`);
  return document;
}

const yamlOptions = { lineWidth: 0, flowCollectionPadding: false } as const;

/**
 * The text of a file for a value. Keeps comments and formatting of the existing text, and changes only what differs.
 *
 * @param before the existing text; undefined or not YAML: starts from scratch
 */
export function writeFile(value: unknown, before?: string): string {
  const wanted = canonical(value);
  const fresh = () => new Document(wanted).toString(yamlOptions);
  const document = parseDocument(before ?? "");
  if (before === undefined || document.errors.length > 0) return fresh();
  if (JSON.stringify(canonical(document.toJS())) === JSON.stringify(wanted)) return before;
  const node = document.contents;
  return merge(document, node, wanted) === node ? document.toString(yamlOptions) : fresh();
}

/** A node with the content `wanted` that reuses as many existing nodes as possible. */
function merge(document: Document, node: Node | null, wanted: unknown): Node {
  if (isMap(node) && isMembers(wanted)) return mergeMap(document, node, wanted);
  if (isSeq(node) && Array.isArray(wanted)) return mergeList(document, node, wanted);
  if (isScalar(node) && (typeof wanted !== "object" || wanted === null)) {
    if (node.value !== wanted) node.value = wanted;
    return node;
  }
  return document.createNode(wanted);
}

function mergeMap(document: Document, map: YAMLMap, wanted: Members): Node {
  for (const name of map.items.map(({ key }) => (isScalar(key) ? key.value : key))) {
    if (typeof name !== "string" || !Object.hasOwn(wanted, name)) map.delete(name);
  }
  for (const [name, value] of Object.entries(wanted)) {
    const old = map.get(name, true);
    map.set(name, merge(document, old === undefined ? null : old, value));
  }
  return map;
}

function mergeList(document: Document, list: YAMLSeq, wanted: readonly unknown[]): Node {
  const [first] = list.items;
  // A comment before the first element belongs to that element and moves with it.
  if (list.commentBefore && isMap(first)) [first.commentBefore, list.commentBefore] = [list.commentBefore, null];
  const old = list.items.map((item) => ({ node: item as Node, name: nameOf(item) }));
  const used = new Set<Node>();
  list.items = wanted.map((value) => {
    const name = isMembers(value)
      ? JSON.stringify(value.name ?? value.uuid ?? value.version ?? null)
      : JSON.stringify(value);
    const found = old.find((one) => one.name === name && !used.has(one.node))?.node ?? null;
    if (found !== null) used.add(found);
    return merge(document, found, value);
  });
  return list;
}

/** The identity of an element in a list. */
function nameOf(item: unknown): string {
  if (isMap(item)) return JSON.stringify(item.get("name") ?? item.get("uuid") ?? item.get("version") ?? null);
  return isScalar(item) ? JSON.stringify(item.value) : "";
}
