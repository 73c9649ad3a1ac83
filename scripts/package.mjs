/**
 * `npm run package`: creates `dist/open-policy-server-<version>.tar.gz`, which runs with `node server.js` wherever Node does
 * (`docs/spec/operations.md` O1). Builds first if the sources have no build.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, createWriteStream, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { listContents } from "./package/contents.mjs";

const root = path.join(import.meta.dirname, "..");
const begin = performance.now();
process.chdir(root);
const built = spawnSync(process.execPath, ["scripts/start.mjs", "--build-only"], { stdio: "inherit" });
if (built.status !== 0) process.exit(built.status ?? 1);

const { name, version, description, license, type, bin, engines, scripts } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const title = `${name}-${version}`;
const place = mkdtempSync(path.join(tmpdir(), "policy-server-package-"));
const stage = path.join(place, title);

function copy(file) {
  const target = path.join(stage, file);
  mkdirSync(path.dirname(target), { recursive: true });
  if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), target);
  else copyFileSync(file, target);
}

/** Seconds since 1970, which browsers use for caching: of the commit if that is all there is, else of the build. */
function timeOfContents() {
  const git = (...words) => spawnSync("git", words, { encoding: "utf8" }).stdout?.trim() ?? "";
  const commit = git("log", "-1", "--format=%ct");
  return commit !== "" && git("status", "--porcelain") === ""
    ? commit
    : Math.floor(statSync("dist/stamp").mtimeMs / 1000);
}

/** The same files make the same bytes: sorted names, no owner. */
async function pack(file) {
  const words = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w"];
  const time = `--mtime=@${timeOfContents()}`;
  const tar = spawn("tar", [...words, time, "-cf", "-", title], { cwd: place, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(tar, "exit");
  await pipeline(tar.stdout, createGzip(), createWriteStream(file));
  const [status] = await ended;
  if (status !== 0) throw new Error(`tar ended with ${status}`);
}

/**
 * Next draws keys for draft mode and server actions, which this server doesn't have. Without them, the same sources make the
 * same package, and no package holds a key that looks secret.
 */
function blankDrawnKeys(contents) {
  const read = (file) => JSON.parse(readFileSync(path.join(stage, file), "utf8"));
  const { encryptionKey } = read(".next/server/server-reference-manifest.json");
  const drawn = [encryptionKey, ...Object.values(read(".next/prerender-manifest.json").preview)];
  for (const file of contents.filter((name) => /^\.next\/(server\/)?[^/]+\.(js|json)$/.test(name))) {
    const target = path.join(stage, file);
    const text = readFileSync(target, "utf8");
    const blank = drawn.reduce((rest, key) => rest.replaceAll(key, key.replaceAll(/[^=]/g, "0")), text);
    if (blank !== text) writeFileSync(target, blank);
  }
}

/** The CycloneDX list of the package's contents in the folder `stage`, without what is not packed. */
function listParts() {
  const tool = path.join(root, "node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js");
  const words = ["--package-lock-only", "--omit", "dev", "--output-reproducible", "--output-format", "JSON"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...words, "--output-file", "-"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`the list of parts cannot be made: ${stderr}`);
  const list = JSON.parse(stdout);
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const isInside = ({ properties = [] }) => {
    const folder = properties.find(({ name }) => name === "cdx:npm:package:path")?.value;
    return packages[folder]?.optional !== true || existsSync(path.join(stage, folder));
  };
  // A nested package is a component of the outer one.
  const keepInside = (components) =>
    components
      .filter(isInside)
      .map((one) => ({ ...one, ...(one.components && { components: keepInside(one.components) }) }));
  const refsOf = (one) => [one["bom-ref"], ...(one.components ?? []).flatMap(refsOf)];
  const components = keepInside(list.components);
  const refs = new Set([list.metadata.component, ...components].flatMap(refsOf));
  const dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, ...(one.dependsOn && { dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }) }));
  return `${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`;
}

try {
  const contents = await listContents(root);
  for (const file of contents) copy(file);
  blankDrawnKeys(contents);
  copyFileSync("scripts/package/server.mjs", path.join(stage, "server.js"));
  // Next stores the folder of the build, also before names of files, which nobody else needs to know.
  const notes = path.join(stage, ".next/required-server-files.json");
  const folder = JSON.stringify(process.cwd()).slice(0, -1);
  const noted = readFileSync(notes, "utf8").replaceAll(`${folder}"`, '"."').replaceAll(`${folder}/`, '"./');
  writeFileSync(notes, noted);
  const own = { start: "node server.js", policy: scripts.policy };
  const manifest = { name, version, description, license, private: true, type, bin, engines, scripts: own };
  writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(path.join(stage, "parts.cdx.json"), listParts());
  const file = path.join("dist", `${title}.tar.gz`);
  await pack(file);
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(`${file}: ${megabytes} MB, ${Math.round((performance.now() - begin) / 1000)} s`);
} finally {
  rmSync(place, { recursive: true });
}
