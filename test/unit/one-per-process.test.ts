import { readFileSync } from "node:fs";
import { build, type Plugin, stop } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { directive, sharedEntry } from "@/scripts/one-per-process.mjs";
import { listFiles } from "@/scripts/sources.mjs";

const routeFile = /^app\/.*\/route\.ts$/;
const pageFile =
  /^app\/(.*\/)?(page|layout|template|loading|error|not-found|default|forbidden|sitemap|robots|manifest)\.tsx?$/;

/** What a browser loads is not the server's, although the server renders it once. */
const withoutClient: Plugin = {
  name: "without-client",
  setup: (bundle) => {
    bundle.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) =>
      /^"use client"/.test(readFileSync(file, "utf8")) ? { contents: "module.exports = {};" } : null,
    );
  },
};

/** The project's own modules that are bundled with these entries. */
async function bundledWith(entryPoints: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    plugins: [sharedEntry, withoutClient],
    ...{ bundle: true, platform: "node", format: "esm", splitting: true, packages: "external", outdir: "dist" },
    ...{ write: false, metafile: true, logLevel: "error", loader: { ".css": "empty" } },
    alias: { "server-only": "./node_modules/server-only/empty.js" },
  });
  return Object.keys(metafile.inputs).filter((file) => /^(app|lib|models|server)\/.*\.ts$/.test(file));
}

/** Modules in several bundles of the console process: its own, `dist/shared.js`, and Next's layers. */
let severalTimes: readonly string[];
beforeAll(async () => {
  const files = listFiles(".");
  const bundles = await Promise.all([
    bundledWith(["server/console.ts"]),
    bundledWith(["one-per-process"]),
    bundledWith(files.filter((file) => pageFile.test(file))),
    bundledWith(files.filter((file) => routeFile.test(file))),
    bundledWith(["proxy.ts"]),
    bundledWith(["instrumentation.ts"]),
  ]);
  const counts = new Map<string, number>();
  for (const file of bundles.flat()) counts.set(file, (counts.get(file) ?? 0) + 1);
  severalTimes = [...counts].filter(([, count]) => count > 1).map(([file]) => file);
});

afterAll(stop);

const changing = /^(add|clear|delete|fill|pop|push|set|shift|sort|splice|unshift)$/;
const keeping = /^(AsyncLocalStorage|oncePer|oncePerRevision|latestPerState)$/;

/** What a module has only once: classes that `instanceof` tests, and variables that its functions change. */
function stateOf(file: string, text: string, tested: ReadonlySet<string>): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const own = new Set<string>();
  const found = new Set<string>();
  for (const statement of source.statements) {
    if (ts.isClassDeclaration(statement) && tested.has(statement.name?.text ?? ""))
      found.add(statement.name?.text ?? "");
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) own.add(name.text);
  }
  const rootOf = (node: ts.Expression): string => {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return rootOf(node.expression);
    return ts.isIdentifier(node) ? node.text : "";
  };
  const note = (target: ts.Expression) => {
    if (own.has(rootOf(target))) found.add(rootOf(target));
  };
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (!isInside && (ts.isCallExpression(node) || ts.isNewExpression(node))) {
      const made = node.expression.getText();
      if (keeping.test(made)) found.add(made);
    }
    // What is changed while the module loads is a table afterwards.
    if (isInside && ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left);
    if (isInside && (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))) {
      if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
        note(node.operand);
    }
    if (isInside && ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      if (changing.test(node.expression.name.text)) note(node.expression.expression);
    }
    node.forEachChild((child) => visit(child, isInside || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return [...found];
}

const isAssignment = (kind: ts.SyntaxKind) =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

it("marks each module with state or with classes that are tested, if several bundles would have it", () => {
  const texts = new Map(severalTimes.map((file) => [file, readFileSync(file, "utf8")]));
  const sources = listFiles(".").filter((file) => /^(app|lib|models|server)\/.*\.tsx?$/.test(file));
  const tests = sources.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\binstanceof (\w+)/g)]);
  const tested = new Set(tests.map(([, name = ""]) => name));
  const unmarked = [...texts]
    .filter(([, text]) => !directive.test(text))
    .flatMap(([file, text]) => stateOf(file, text, tested).map((name) => `${file}: ${name}`));
  expect(unmarked).toEqual([]);
});
