import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { findCircles, listArrows, readSources, roomOf } from "@/scripts/sources.mjs";

// Types count as well: whoever reads a file reads what its types come from, and `import { type … }` loads the other file.
const sources = readSources(".");
const imports = sources.flatMap(({ file: from, imports: all }) =>
  all.map(({ name, file }) => ({ from, name, to: file })),
);
const isIn = (file: string, ...folders: readonly string[]) => folders.some((folder) => file.startsWith(`${folder}/`));

/** ADR 54: only rooms above it in the table. A room is the first folder below `lib`, or else outside of it. */
const borders: Readonly<Record<string, string>> = {
  "lib/vocabulary": "",
  models: "lib/vocabulary",
  "lib/platform": "models lib/vocabulary",
  "lib/jobs": "models lib/vocabulary lib/platform",
  "lib/certificates": "models lib/vocabulary lib/platform",
  "lib/policy": "models lib/vocabulary lib/platform lib/certificates",
  "lib/fleet": "models lib/vocabulary lib/platform lib/policy",
  "lib/vehicle-api": "lib/vocabulary lib/platform lib/certificates lib/policy",
  "lib/records": "models lib/vocabulary lib/platform lib/certificates lib/policy",
  "lib/apps": "models lib/vocabulary lib/platform lib/jobs lib/certificates lib/policy lib/records",
  "lib/releases": "models lib/vocabulary lib/platform lib/jobs lib/policy lib/fleet lib/records lib/apps",
  "lib/exchange": "models lib/vocabulary lib/platform lib/certificates lib/policy lib/records lib/apps lib/releases",
  app: "models lib/vocabulary lib/platform lib/jobs lib/certificates lib/policy lib/fleet lib/records lib/apps lib/releases lib/exchange",
  server:
    "models lib/vocabulary lib/platform lib/jobs lib/certificates lib/policy lib/fleet lib/vehicle-api lib/records lib/apps lib/releases lib/exchange",
  embedded: "",
  "example-directory": "lib/vocabulary",
};
const tableOf = Object.entries(borders).map(([room, allowed]) => ({
  room,
  allowed: allowed.split(" ").filter(Boolean),
}));
/** Only started, measured and built with: they may import everything. */
const tools = ["bench", "bin", "docs", "scripts"];
/** Where one program starts another one inside itself. */
const doors = [
  ["server/database.ts", "embedded/server.ts"],
  ["server/policy.ts", "embedded/server.ts"],
  ["lib/apps/directory/runtime.ts", "example-directory/directory.ts"],
].map(String);

it("finds what is imported", () => {
  const of = (from: string) => imports.flatMap((one) => (one.from === from ? [one.to ?? one.name] : []));
  expect(doors.flatMap((door) => door.split(",").slice(0, 1)).flatMap(of)).toEqual(
    expect.arrayContaining(["embedded/server.ts", "example-directory/directory.ts"]),
  );
  expect(of("models/audit-event.ts")).toContain("mongoose");
});

it("finds circles", () => {
  const arrows = new Map(Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["d", "e"], e: [] }));
  expect(findCircles(arrows)).toEqual([["a", "b", "c"]]);
});

const rooms = listArrows(
  sources.map(({ imports: all, ...source }) => ({
    ...source,
    imports: all.filter(({ file }) => !doors.includes(String([source.file, file]))),
  })),
  roomOf,
);

it("names every room in the table, and no other; each after those that it may import", () => {
  expect([...rooms.keys()].filter((room) => !tools.includes(room)).sort()).toEqual(Object.keys(borders).sort());
  const above = (at: number) => tableOf.slice(0, at).map(({ room }) => room);
  expect(tableOf.flatMap(({ allowed }, at) => allowed.filter((room) => !above(at).includes(room)))).toEqual([]);
});

it.each(tableOf)("$room imports only the rooms that the table allows", ({ room, allowed }) => {
  expect([...(rooms.get(room) ?? [])].filter((to) => !allowed.includes(to))).toEqual([]);
});

it("has no circle between rooms: each can be read after those that it imports", () =>
  expect(findCircles(rooms)).toEqual([]));

it("has no circle between files, but in the embedded database", () =>
  expect(findCircles(listArrows(sources, (file) => (isIn(file, "embedded") ? null : file)))).toEqual([]));

it("lets no program import what only tools and tests use", () =>
  expect(
    imports.filter(({ from, name }) => !isIn(from, "bench", "scripts") && isIn(name, "@/test", "@/bench")),
  ).toEqual([]));

/** Pure code: time, ids and settings arrive as arguments. */
const isPure = (file: string) =>
  isIn(file, "lib/vocabulary", "lib/policy/table", "lib/policy/gzip", "lib/policy/head-unit") ||
  (isIn(file, "lib") && /\/(rules|schema)\.ts$/.test(file));
const computing = ["zod", "negotiator", "node:crypto", "node:util", "node:zlib"];
const isData = (name: string) => name.endsWith(".json");

it("keeps pure code free of input and output, however far away", () => {
  const impure = (file: string, trail: readonly string[] = [file]): string[] =>
    imports
      .filter(({ from }) => from === file)
      .flatMap(({ name, to }) => {
        if (to === null) return computing.includes(name) || isData(name) ? [] : [[...trail, name].join(" → ")];
        return trail.includes(to) ? [] : impure(to, [...trail, to]);
      });
  const pure = sources.map(({ file }) => file).filter(isPure);
  expect(pure.length).toBeGreaterThan(40);
  expect(pure.flatMap((file) => impure(file))).toEqual([]);
});

it("CONTRIBUTING.md says what each room of lib is", () => {
  const [, table = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("| Folder in `lib` |");
  const named = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => `lib/${name ?? ""}`);
  expect(named.toSorted()).toEqual(
    Object.keys(borders)
      .filter((room) => room.startsWith("lib/"))
      .toSorted(),
  );
});
