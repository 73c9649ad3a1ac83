import { createHash } from "node:crypto";
import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { canonical } from "@/lib/records/store/file-form";
import { fileForm, fileForms } from "@/lib/records/file-forms";
import { FileRefusal, type PlacesIn, replacePlaces } from "@/lib/exchange/policy-file";
import { exchangeFormat } from "@/lib/exchange/schema";
import { namesOf } from "@/lib/vocabulary/members";
import { listSome } from "@/lib/vocabulary/format-number";
import { byCodeUnit } from "@/lib/vocabulary/order";

const forms = namesOf(fileForms).map(fileForm);
const placesOf = (isSingle: boolean) =>
  forms.filter((form) => (form.isSingle ?? false) === isSingle).map(({ place, member }) => [place, member] as const);
/** Folders with one file per item. */
const itemFolders = new Map(placesOf(false));
/** Files next to these folders. */
const singleFiles = new Map([...placesOf(true), ["apps.yaml", "apps"]]);

const ending = /\.(?:ya?ml|json)$/i;
/** As `listFiles` spells it: whatever its case, and also if it ends in `.yml` or `.json`. */
export const usualPath = (file: string) => file.toLowerCase().replace(ending, ".yaml");

/** `foreign`: it looks like policy and is none. */
function readPath(file: string): { readonly member: string; readonly isSingle: boolean } | "foreign" | null {
  const [folder = "", ...names] = usualPath(file).split("/");
  const [name = folder] = names.slice(-1);
  const isText = ending.test(file);
  const single = singleFiles.get(folder);
  if (names.length === 0 && single !== undefined) return { member: single, isSingle: true };
  const member = names.length === 0 ? undefined : itemFolders.get(folder);
  const isHidden = name.startsWith(".");
  if (member === undefined) return isText && !isHidden ? "foreign" : null;
  if (isText && !isHidden && names.length === 1) return { member, isSingle: false };
  return (isHidden && !isText) || name.startsWith("readme") ? null : "foreign";
}

/** `exchange.md` X1a. Throws FileRefusal that names every other file that looks like policy. */
export function chooseFiles(listed: readonly string[]): readonly string[] {
  const chosen = listed.flatMap((file) => ({ file, is: readPath(file) }));
  const foreign = chosen.filter(({ is }) => is === "foreign").map(({ file }) => file);
  if (foreign.length > 0) {
    const folders = [...itemFolders.keys()].join(", ");
    const files = [...singleFiles.keys()].join(" and ");
    throw new FileRefusal(
      `${listSome(foreign, maxNamed)}: not a file of a policy. Items are files directly in ${folders} that end in .yaml, ` +
        `.yml or .json; next to these folders there are only ${files}`,
    );
  }
  const singles = chosen.filter(({ is }) => is !== "foreign" && is?.isSingle).map(({ file }) => file);
  const twice = singles.find((file, at) => singles.findIndex((one) => usualPath(one) === usualPath(file)) < at);
  if (twice !== undefined) throw new FileRefusal(`${twice}: there is another file ${usualPath(twice)}. Keep one`);
  return chosen.filter(({ is }) => is !== null).map(({ file }) => file);
}

const maxNamed = 10;

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

/** Valid and unique on every file system, even if it ignores case. */
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

export interface ReadDocument<Document = unknown> {
  readonly document: Document;
  /** A message of `POST exchange` with files and lines in place of `document.groups[3].name`. */
  readonly locate: (message: string) => string;
}

/** `files`: texts by path, as chosen by `chooseFiles`. Throws FileRefusal for a file that is not YAML. */
export function readFiles(files: ReadonlyMap<string, string>): ReadDocument<object> {
  const document: Record<string, unknown> = { format: exchangeFormat };
  const sources = new Map<string, Source[]>();
  for (const [file, text] of [...files].sort(([a], [b]) => byCodeUnit(a, b))) {
    const is = readPath(file);
    if (is === null || is === "foreign") continue;
    const { member, isSingle } = is;
    const source = parseYaml(file, text);
    sources.set(member, [...(sources.get(member) ?? []), source]);
    document[member] = isSingle ? source.value : [...elementsOf(document[member]), source.value];
  }
  const locate = (message: string) =>
    replacePlaces(message, ([member = "", ...steps]) => {
      const isItem = [...itemFolders.values()].includes(member);
      const source = sources.get(member)?.[isItem ? Number(steps[0]) : 0];
      return source === undefined
        ? ["the files", member].join(" ").trim()
        : findPlace(source, isItem ? steps.slice(1) : steps);
    });
  return { document, locate };
}

/** A message of a server with the file and lines in place of `places`. JSON is read as the YAML that it also is. */
export function locateIn(file: string, text: string, places: PlacesIn, message: string): string {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines });
  return replacePlaces(message, (steps) => findPlace({ file, parsed, lines }, steps), places);
}

const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Source {
  readonly file: string;
  readonly parsed: Document.Parsed;
  readonly lines: LineCounter;
  readonly value: unknown;
}

function parseYaml(file: string, text: string): Source {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines });
  const [error] = [...parsed.errors, ...parsed.warnings];
  if (error !== undefined) {
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? [];
    const isSecond = error.code === "MULTIPLE_DOCS";
    const reason = isSecond
      ? "a second item begins here; give it a file of its own"
      : error.message.split(" at line ")[0];
    throw new FileRefusal(`${file} is not ${isSecond ? "one item" : "YAML"}: line ${line}, column ${col}: ${reason}`);
  }
  try {
    return { file, parsed, lines, value: parsed.toJS() as unknown };
  } catch (error) {
    throw new FileRefusal(`${file} is not YAML: ${error instanceof Error ? error.message : "unknown reason"}`);
  }
}

/** Where a member stands, e.g. `groups/a.yaml:7: rpcs.0.name`; if it is missing, the line of what lacks it. */
function findPlace({ file, parsed, lines }: Omit<Source, "value">, steps: readonly string[]): string {
  let node: unknown = parsed.contents;
  for (const step of steps) {
    const next: unknown = isMap(node) || isSeq(node) ? node.get(isSeq(node) ? Number(step) : step, true) : undefined;
    if (!isNode(next)) break;
    node = next;
  }
  const { line } = lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0);
  return [`${file}:${line}`, steps.join(".")].filter((part) => part !== "").join(": ");
}

const yamlOptions = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Keeps comments and formatting of `before`, and changes only what differs. */
export function writeFile(value: unknown, before?: string): string {
  const wanted = canonical(value);
  const fresh = () => new Document(wanted).toString(yamlOptions);
  const document = parseDocument(before ?? "");
  if (before === undefined || document.errors.length > 0) return fresh();
  if (JSON.stringify(canonical(document.toJS())) === JSON.stringify(wanted)) return before;
  const node = document.contents;
  return merge(document, node, wanted) === node ? document.toString(yamlOptions) : fresh();
}

/** Reuses as many existing nodes as possible. */
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

function nameOf(item: unknown): string {
  if (isMap(item)) return JSON.stringify(item.get("name") ?? item.get("uuid") ?? item.get("version") ?? null);
  return isScalar(item) ? JSON.stringify(item.value) : "";
}
