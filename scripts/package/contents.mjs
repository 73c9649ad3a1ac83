/** Selects the files of a built checkout that belong in the package (`docs/spec/operations.md` O1). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Copied as a whole: read, run or served by path, and what operators need. */
const folders = ["seed", "public", ".next/static", "docs", "deploy"];
/** For operators, next to the programs. */
const singleFiles = [
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "WRITING_STYLE.md",
  "Dockerfile",
  ".dockerignore",
  ".env.example",
  "bin/add-message-languages.mjs",
  "bin/healthy.mjs",
  "bin/open-policy.mjs",
  "customizable/ca/.gitkeep",
  "customizable/ssl/.gitkeep",
  "deploy/compose/tls/.gitignore",
  // A link, which is no file of its folder.
  "deploy/helm/open-policy-server/alerts.yml",
  "test/fixtures/policy-requests/policy-request-1-app.json",
];

/** Never packed: tools, types, platform-specific and development-only code, and the builder's settings and secrets. */
const left = [
  /\.(map|ts|mts|cts|tsx|nft\.json)$/,
  /\.env$/,
  /(^|\/)\.env/,
  /^deploy\/compose\/tls\//,
  /^node_modules\/(@img|sharp|esbuild|@esbuild|typescript|@next\/swc-[^/]*)\//,
  /^node_modules\/next\/dist\/(docs|lib\/upgrade)\//,
  /^node_modules\/next\/dist\/compiled\/(webpack|babel|babel-packages|next-devtools|@mswjs|@modelcontextprotocol)\//,
  /^node_modules\/next\/dist\/compiled\/(postcss-preset-env|cssnano-simple|crypto-browserify)\//,
  /^node_modules\/next\/dist\/compiled\/next-server\/.*\.dev\.js$/,
  /^node_modules\/next\/dist\/server\/capsize-font-metrics\.json$/,
  /^node_modules\/react(-dom)?\/.*\.development\.js$/,
];

/**
 * Whether a file, relative to the root, goes into the package if operators or running code may need it.
 * @param {string} file
 */
export function belongs(file) {
  if (singleFiles.includes(file)) return true;
  const isUsed =
    /^((node_modules|dist|seed|public|docs|deploy)\/|\.next\/(server|static|node_modules)\/|\.next\/[^/]+$)/;
  return isUsed.test(file) && !left.some((pattern) => pattern.test(file));
}

/** All files in the package of a built checkout, sorted. Links stay links. */
export async function listContents(root) {
  const loaded = [...listPages(root), ...(await traceModules(root))];
  const found = new Set([
    ...singleFiles,
    ...folders.flatMap((folder) => listFolder(root, folder)),
    ...listPrograms(root),
    ...loaded,
    ...packagesOf(loaded.filter(belongs)).flatMap((folder) => listCode(root, folder)),
  ]);
  const tools = readTools(root);
  const isPacked = (file) => belongs(file) && !tools.has(folderOf(file)) && existsSync(path.join(root, file));
  return [...found].filter(isPacked).sort();
}

/** Folder of the innermost package that contains a file, or undefined. */
const folderOf = (file) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** Folders of packages that only the build needs. Traces name some of them along with loaded ones. */
function readTools(root) {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return new Set(Object.keys(packages).filter((folder) => packages[folder].dev === true));
}

/** Folders of these files' packages, packed whole: Node's version decides what is loaded. Not Next's: it contains tools. */
function packagesOf(files) {
  const folders = files.map(folderOf);
  return [...new Set(folders)].filter(
    (folder) => folder?.startsWith("node_modules/") && folder !== "node_modules/next",
  );
}

/** Without nested packages, which are handled separately. */
function listCode(root, folder) {
  const isCode = (file) =>
    /\.(js|cjs|mjs|json|node|wasm)$/.test(file) && !file.slice(folder.length).includes("/node_modules/");
  return listFolder(root, folder).filter(isCode);
}

function listPrograms(root) {
  const isBundle = (file) => /^dist\/(parts\/)?[^/]+\.js$/.test(file);
  return listFolder(root, "dist").filter(isBundle);
}

/** Pages and routes with all files that Next found they load, as in its standalone output. */
function listPages(root) {
  const required = JSON.parse(readFileSync(path.join(root, ".next/required-server-files.json"), "utf8"));
  const traces = [".next/next-server.js.nft.json", ...listFolder(root, ".next/server").filter(isTrace)];
  return [...required.files, ...traces.flatMap((trace) => readTrace(root, trace)), ...traces.map(tracedFile)];
}

const isTrace = (file) => file.endsWith(".nft.json");
const tracedFile = (trace) => trace.slice(0, -".nft.json".length);

function readTrace(root, trace) {
  const { files } = JSON.parse(readFileSync(path.join(root, trace), "utf8"));
  return files.map((file) => path.posix.join(path.posix.dirname(trace), file));
}

/** Files that the bundles load from `node_modules`, traced as Next does for its pages. */
async function traceModules(root) {
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
  const entries = listPrograms(root).map((file) => path.join(root, file));
  const { fileList, esmFileList } = await nodeFileTrace(entries, {
    base: root,
    processCwd: root,
    mixedModules: true,
    moduleSyncCatchall: true,
    ignore: (file) => !belongs(file),
  });
  return [...fileList, ...esmFileList];
}

function listFolder(root, folder) {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return files.map((file) => path.relative(root, file).split(path.sep).join("/"));
}
