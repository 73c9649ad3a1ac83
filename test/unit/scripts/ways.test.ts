import { expect, it } from "vitest";
import { readSources, type Source } from "@/scripts/sources.mjs";
import { findGaps, readWays, stationsOf, type Way } from "@/scripts/ways.mjs";

const sources = readSources(".");

it.each(readWays("."))("$name: every file is there, and imports or borders lead to it", (way) => {
  expect(findGaps(way, sources)).toEqual([]);
});

const source = (file: string, text: string, ...imports: string[]): Source => ({
  ...{ file, text },
  imports: imports.map((name) => ({ name, file: name })),
});
const made = [
  source("app/a.tsx", 'post("/api/v1/b")', "lib/c.ts"),
  source("lib/c.ts", ""),
  source("app/api/v1/b/route.ts", "POST: route(", "lib/d.ts"),
  source("lib/d.ts", '"told"', "models/e.ts"),
  source("lib/f.ts", '"told"', "models/e.ts"),
  source("models/e.ts", ""),
];
const route = { route: "POST /api/v1/b", why: "a request" };
const through = { through: "models/e.ts", why: "a document" };
const gapsOf = (...parts: Way["parts"]) => findGaps({ name: "w", parts }, made).map((gap) => gap.slice("w: ".length));

it("finds no gap along imports, a route, a model and a message", () => {
  const [page, api] = [
    { files: ["app/a.tsx", "lib/c.ts"] },
    { border: route, files: ["app/api/v1/b/route.ts", "lib/d.ts"] },
  ];
  expect(gapsOf(page, api, { border: through, files: ["lib/f.ts"] })).toEqual([]);
  expect(gapsOf(page, api, { border: { message: '"told"', why: "a message" }, files: ["lib/f.ts"] })).toEqual([]);
});

it("counts a file once, however often the way passes it", () => {
  expect(stationsOf({ name: "w", parts: [{ files: ["a.ts", "b.ts"] }, { border: through, files: ["b.ts"] }] })).toEqual(
    ["a.ts", "b.ts"],
  );
});

it("finds files that are gone, and steps that nothing makes", () => {
  expect(gapsOf({ files: ["app/a.tsx", "lib/gone.ts"] })).toEqual(["lib/gone.ts does not exist"]);
  expect(gapsOf({ files: ["app/a.tsx", "lib/d.ts"] })).toEqual(["lib/d.ts is imported by no file before it"]);
  const page = { files: ["app/a.tsx"] };
  const noBorder = ["no border leads to lib/d.ts"];
  expect(gapsOf(page, { files: ["lib/d.ts"] })).toEqual(noBorder);
  expect(gapsOf(page, { border: through, files: ["lib/d.ts"] })).toEqual(noBorder);
  expect(gapsOf(page, { border: route, files: ["lib/d.ts"] })).toEqual(noBorder);
  expect(gapsOf(page, { border: { ...route, why: "" }, files: ["app/api/v1/b/route.ts"] })).toEqual([
    "no border leads to app/api/v1/b/route.ts",
  ]);
});
