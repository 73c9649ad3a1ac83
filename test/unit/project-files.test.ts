import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import packageJson from "@/package.json";
import { belongs } from "@/scripts/package/contents.mjs";

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

const root = path.join(import.meta.dirname, "../..");

it("O1: whatever pages of the package link to, post or run is in the package, down to the heading", () => {
  const isInside = (file: string) =>
    belongs(statSync(path.join(root, file)).isDirectory() ? path.join(file, "any") : file);
  const anchorsOf = (file: string) =>
    [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
  const pages = listTexts().filter((file) => file.endsWith(".md") && belongs(file));
  const dead = pages.flatMap((page) => {
    const links = [...read(page).matchAll(/\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)/g)].map(
      ([link, to = "", anchor = ""]) => {
        const file = to === "" ? page : path.join(path.dirname(page), to);
        const isThere = existsSync(path.join(root, file)) && isInside(file);
        return isThere && (anchor === "" || anchorsOf(file).includes(anchor)) ? "" : link;
      },
    );
    const used = [...read(page).matchAll(/(?:^|\s)(?:-d @|node (?=bin|scripts))([\w-]+\/[\w./-]+)/gm)].map(
      ([call, file = ""]) => (existsSync(path.join(root, file)) && isInside(file) ? "" : call),
    );
    return [...links, ...used].filter(Boolean).map((what) => `${page}: ${what}`);
  });
  expect([pages.length > 50, dead]).toEqual([true, []]);
  const ofBuilder = ["deploy/.env", "deploy/compose/tls/key.pem", "deploy/secrets.env", ".env", "lib/x.ts"];
  expect(ofBuilder.filter(belongs)).toEqual([]);
});

function listTexts(): string[] {
  const folders = [
    ...["app", "bench", "docs", "embedded", "example-directory"],
    ...["lib", "models", "scripts", "server", "test"],
  ];
  const listed = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  return [...listed, ...readdirSync(root)].filter((name) => /\.(ts|tsx|mjs|md)$/.test(name));
}

it("holds no marks of a merge that nobody finished", () =>
  expect(listTexts().filter((name) => /^(<{7}|>{7}) /m.test(read(name)))).toEqual([]));

it("cites no document that is not there", () => {
  // Not `forge.md`, a member of a package.
  const citation = /(?<![\w.@])(?!forge\.md)(?:[\w-]+\/)*[\w-]+\.md(?![\w-]|\.\w)/g;
  const isThere = (document: string, file: string) =>
    ["", "docs", "docs/spec", "docs/adr", path.dirname(file)].some((folder) =>
      existsSync(path.join(root, folder, document)),
    );
  const missing = listTexts().flatMap((file) =>
    [...read(file).matchAll(citation)]
      .map(([document]) => document)
      .flatMap((document) => (isThere(document, file) ? [] : [`${file}: ${document}`])),
  );
  expect(missing).toEqual([]);
});
