/**
 * Modules that begin with the directive exist once per process (`docs/adr/0003-load-stateful-modules-once.md`): `dist/shared.js`
 * has them, for the programs in `dist` and, through the loader below, for Next's bundles.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
/** At the beginning of a module's text. */
export const directive = /^"one per process";/;

/** Lists the modules with the directive, relative to the root. */
export function listShared() {
  const files = ["app", "lib", "models"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return files
    .filter((file) => file.endsWith(".ts") && directive.test(readFileSync(path.join(root, file), "utf8")))
    .sort();
}

/** The entry `shared`: exports each of these modules as a namespace under its path. */
export const sharedEntry = {
  name: "shared",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^one-per-process$/ }, ({ path: name }) => ({ path: name, namespace: name }));
    onLoad({ filter: /./, namespace: "one-per-process" }, () => ({
      contents: listShared()
        .map((file) => `export * as ${JSON.stringify(file)} from "./${file}";`)
        .join("\n"),
      resolveDir: root,
    }));
  },
};

/**
 * Loader for Next's bundles: replaces the text of such a module by its exports in `dist/shared.js`. Synchronously:
 * otherwise, all modules that import this one would become asynchronous.
 */
export default async function loadShared() {
  // `npm start` imports this file as well, and need not load esbuild.
  const { build } = await import("esbuild");
  const entryPoints = [this.resourcePath];
  const { metafile } = await build({ entryPoints, format: "esm", write: false, metafile: true, outdir: "dist" });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  const file = path.relative(root, this.resourcePath).split(path.sep).join("/");
  // Hidden from Next, which would bundle the file otherwise.
  return `const { createRequire } = process.getBuiltinModule("module");
const load = createRequire(process.cwd() + "/");
export const { ${names.join(", ")} } = load("./dist/shared.js")[${JSON.stringify(file)}];`;
}
