import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { directive, listShared } from "@/scripts/one-per-process.mjs";

interface Map {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
  readonly sections?: readonly { readonly map: Map }[];
}

const textsOf = ({ sources, sourcesContent = [], sections = [] }: Map): (readonly [string, string])[] => [
  ...sources.map((source, index) => [source, sourcesContent[index] ?? ""] as const),
  ...sections.flatMap(({ map }) => textsOf(map)),
];

it("Next's bundles take modules that exist once per process from dist/shared.js, and have none of their own", () => {
  const shared = listShared();
  const files = readdirSync(".next/server", { recursive: true, encoding: "utf8" });
  const read = (file: string) => readFileSync(path.join(".next/server", file), "utf8");
  const taken = new Set<string>();
  for (const file of files.filter((name) => name.endsWith(".js")))
    for (const [, name = ""] of read(file).matchAll(/"\.\/dist\/shared\.js"\)\["([^"]+)"\]/g)) taken.add(name);
  expect(shared.filter((file) => taken.has(file)).length).toBeGreaterThan(shared.length / 2);
  const texts = files.filter((name) => name.endsWith(".js.map")).flatMap((file) => textsOf(JSON.parse(read(file))));
  expect(texts.length).toBeGreaterThan(shared.length);
  const own = texts.filter(([, text]) => directive.test(text)).map(([source]) => source);
  expect([...new Set(own)]).toEqual([]);
});
