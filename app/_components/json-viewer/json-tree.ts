export type JsonPath = readonly (string | number)[];

export interface JsonRow {
  /** JSON pointer (RFC 6901). */
  readonly id: string;
  readonly path: JsonPath;
  /** Null for the root. */
  readonly key: string | number | null;
  readonly value: unknown;
  /** Null for plain values. */
  readonly size: number | null;
  readonly isOpen: boolean;
  readonly position: number;
  readonly siblings: number;
}

export function toPointer(path: JsonPath): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** `policy_table.functional_groupings.Base-4` */
export function toDotted(path: JsonPath): string {
  return path.join(".");
}

export function childrenOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const);
  if (typeof value === "object" && value !== null) return Object.entries(value);
  return [];
}

function sizeOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : null;
}

export function listRows(root: unknown, open: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (id: string, path: JsonPath, value: unknown, position: number, siblings: number) => {
    const size = sizeOf(value);
    const isOpen = size !== null && size > 0 && open.has(id);
    rows.push({ id, path, key: path.at(-1) ?? null, value, size, isOpen, position, siblings });
    if (!isOpen) return;
    const children = childrenOf(value);
    for (const [index, [key, child]] of children.entries()) {
      const way = [...path, key];
      add(id + toPointer([key]), way, child, index + 1, children.length);
    }
  };
  add("", [], root, 1, 1);
  return rows;
}

export function openTo(root: unknown, depth: number): Set<string> {
  const open = new Set<string>();
  const add = (id: string, value: unknown, level: number) => {
    if (level >= depth) return;
    const children = childrenOf(value);
    if (children.length > 0) open.add(id);
    for (const [key, child] of children) add(id + toPointer([key]), child, level + 1);
  };
  add("", root, 0);
  return open;
}

/** The root first. */
export function ancestorsOf(path: JsonPath): string[] {
  return path.map((_, index) => toPointer(path.slice(0, index)));
}

export function findMatches(root: unknown, text: string, max = 5000): JsonPath[] {
  const wanted = text.trim().toLowerCase();
  const found: JsonPath[] = [];
  if (wanted === "") return found;
  const look = (path: JsonPath, value: unknown) => {
    if (found.length >= max) return;
    const key = path.at(-1);
    const isNamed = typeof key === "string" && key.toLowerCase().includes(wanted);
    const isPlain = sizeOf(value) === null;
    if (isNamed || (isPlain && String(value).toLowerCase().includes(wanted))) found.push(path);
    for (const [name, child] of childrenOf(value)) look([...path, name], child);
  };
  look([], root);
  return found;
}

/** Names may contain dots: the longest name that leads to an existing part wins. Null: no such part. */
export function resolveDotted(root: unknown, dotted: string): JsonPath | null {
  if (dotted === "") return [];
  const fitting = childrenOf(root)
    .filter(([key]) => dotted === String(key) || dotted.startsWith(`${key}.`))
    .toSorted(([a], [b]) => String(b).length - String(a).length);
  for (const [key, child] of fitting) {
    const rest = resolveDotted(child, dotted.slice(String(key).length + 1));
    if (rest !== null) return [key, ...rest];
  }
  return null;
}
