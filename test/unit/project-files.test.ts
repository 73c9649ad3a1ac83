import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import packageJson from "@/package.json";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

it("gives a reason for every dependency, and for nothing else", () => {
  const reasons = [...read("docs/adr/0001-dependencies.md").matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  const installed = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
  expect(reasons.toSorted()).toEqual(installed.filter((name) => !name.startsWith("@types/")).toSorted());
});

it("lists every decision in the index", () => {
  const pages = readdirSync(new URL("../../docs/adr", import.meta.url)).filter((name) => /^\d{4}-/.test(name));
  const listed = [...read("docs/adr/README.md").matchAll(/\((\d{4}-[^)]+)\)/g)].map(([, name]) => name);
  expect(listed).toEqual(pages.toSorted());
});

it("leads from the README to files that exist", () => {
  for (const [, target = ""] of read("README.md").matchAll(/\]\(([^)#:]+)\)/g))
    expect(() => read(target)).not.toThrow();
});
