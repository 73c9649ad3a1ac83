import path from "node:path";
import { expect, it } from "vitest";
import { findCircles, listArrows, readSources } from "@/scripts/sources.mjs";

// Types count as well: whoever reads a file reads what its types come from, and `import { type … }` loads the other file.
const sources = readSources(path.join(import.meta.dirname, "../.."));
const imports = sources.flatMap(({ file: from, imports: all }) =>
  all.map(({ name, file }) => ({ from, name, to: file })),
);
const isIn = (file: string, ...folders: readonly string[]) => folders.some((folder) => file.startsWith(`${folder}/`));

it("finds what is imported", () => {
  const of = (from: string) => imports.flatMap((one) => (one.from === from ? [one.to ?? one.name] : []));
  expect(of("server/database.ts")).toContain("embedded/server.ts");
  expect(of("lib/apps/directory/runtime.ts")).toContain("example-directory/directory.ts");
  expect(of("lib/platform/db/transaction.ts")).toEqual(
    expect.arrayContaining(["mongoose", "lib/platform/db/connection/connect.ts"]),
  );
});

it("finds circles", () => {
  const arrows = new Map(Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["d", "e"], e: [] }));
  expect(findCircles(arrows)).toEqual([["a", "b", "c"]]);
});

it("has no circle between folders of lib: each can be read after those below it", () => {
  expect(findCircles(listArrows(sources, (file) => (isIn(file, "lib") ? path.dirname(file) : null)))).toEqual([]);
});

it("has no circle between files of app, lib and models", () => {
  expect(findCircles(listArrows(sources, (file) => (isIn(file, "app", "lib", "models") ? file : null)))).toEqual([]);
});

/** Where the sources of a folder may import from, besides the folder itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  app: ["lib", "models"],
  server: ["lib", "models"],
  lib: ["models"],
  models: ["lib/labels"],
  embedded: [],
  // The vocabulary of the field, which imports nothing itself.
  "example-directory": ["lib/labels"],
  "example-login": [],
};
/** Where one program starts another one inside itself. */
const doors = [
  ["server/database.ts", "embedded/server.ts"],
  ["server/policy.ts", "embedded/server.ts"],
  ["lib/apps/directory/runtime.ts", "example-directory/directory.ts"],
].map(String);

it.each(Object.keys(arrows))("%s imports only what lies below it", (folder) => {
  const allowed = [folder, ...(arrows[folder] ?? [])];
  const up = imports.filter(({ from, to }) => isIn(from, folder) && to !== null && !isIn(to, ...allowed));
  expect(up.filter(({ from, to }) => !doors.includes(String([from, to])))).toEqual([]);
});

it("lets no program import what only tools and tests use", () => {
  expect(
    imports.filter(({ from, name }) => !isIn(from, "bench", "scripts") && isIn(name, "@/test", "@/bench")),
  ).toEqual([]);
});

/** Pure code: time, ids and settings arrive as arguments. */
const isPure = (file: string) =>
  isIn(file, "lib/labels", "lib/policy/table", "lib/policy/gzip", "lib/policy/head-unit") ||
  (isIn(file, "lib") && /\/(rules|schema)\.ts$/.test(file));
/** What it may use of others: packages that compute. */
const computing = ["zod", "negotiator", "node:crypto", "node:util", "node:zlib"];
const isData = (name: string) => name.endsWith(".json");
/** State of the process is none of its business either. */
const stateful = ["lib/platform/process-globals.ts"];

it("keeps pure code free of input and output, however far away", () => {
  const impure = (file: string, trail: readonly string[] = [file]): string[] =>
    imports
      .filter(({ from }) => from === file)
      .flatMap(({ name, to }) => {
        if (to === null) return computing.includes(name) || isData(name) ? [] : [[...trail, name].join(" → ")];
        if (stateful.includes(to)) return [[...trail, to].join(" → ")];
        return trail.includes(to) ? [] : impure(to, [...trail, to]);
      });
  const pure = sources.map(({ file }) => file).filter(isPure);
  expect(pure.length).toBeGreaterThan(40);
  expect(pure.flatMap((file) => impure(file))).toEqual([]);
});

it("words import nothing of ours", () => {
  expect(imports.filter(({ from, to }) => isIn(from, "lib/labels") && to !== null && !isIn(to, "lib/labels"))).toEqual(
    [],
  );
});
