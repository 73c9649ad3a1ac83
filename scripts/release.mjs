/**
 * `npm run release -- <version>`: sets the version, commits it, and makes the files of a release in `dist/release`
 * (`docs/spec/operations.md` O11). Tags and pushes nothing: it says how.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildProvenance, findSection, isNewer, readVersions, setVersion } from "./release/version.mjs";

const root = path.join(import.meta.dirname, "..");
process.chdir(root);
const startedOn = new Date();
const [version = ""] = process.argv.slice(2);
const folder = "dist/release";

function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}

function run(program, ...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) refuse(`${program} ${words.join(" ")} failed: ${stderr}`);
  return stdout.trim();
}

if (!/^\d+\.\d+\.\d+$/.test(version)) refuse("Give a version: npm run release -- 1.2.3");
const { name, version: current } = JSON.parse(readFileSync("package.json", "utf8"));
const section = findSection(readFileSync("CHANGELOG.md", "utf8"), version);
if (section === null) refuse(`CHANGELOG.md has no section "## [${version}] - <date>", or an empty one`);
if (version !== current && !isNewer(version, current)) refuse(`${version} is not newer than ${current}`);
if (run("git", "status", "--porcelain") !== "") refuse("The checkout has changes: commit them, or put them aside");
if (run("git", "tag", "--list", `v${version}`) !== "") refuse(`The tag v${version} exists: this version is released`);

if (readVersions(root).some(({ versions }) => versions.some((one) => one !== version))) {
  setVersion(root, version);
  run("git", "commit", "--quiet", "--all", "--message", `chore: version ${version}`);
}
const { status } = spawnSync(process.execPath, ["scripts/package.mjs"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const write = (file, text) => writeFileSync(path.join(folder, file), `${text}\n`);
const digestOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const digests = (names) => names.map((file) => ({ name: file, sha256: digestOf(path.join(folder, file)) }));

const packed = `${name}-${version}.tar.gz`;
const parts = `${name}-${version}.cdx.json`;
const statement = `${name}-${version}.provenance.json`;
copyFileSync(path.join("dist", packed), path.join(folder, packed));
write(parts, run("tar", "-xzOf", path.join("dist", packed), `${name}-${version}/parts.cdx.json`));
const facts = {
  version,
  files: digests([packed, parts]),
  commit: run("git", "rev-parse", "HEAD"),
  lockDigest: digestOf("package-lock.json"),
  builder: process.env.RELEASE_BUILDER ?? "urn:open-policy-server:built-by-hand",
  startedOn,
  finishedOn: new Date(),
};
write(statement, JSON.stringify(buildProvenance(facts), null, 2));
const sums = digests([packed, parts, statement]).map((one) => `${one.sha256}  ${one.name}`);
write("SHA256SUMS", sums.join("\n"));
write("TAG.txt", `Open Policy Server ${version}\n\n${section}`);

console.log(`
${folder}: ${[packed, parts, statement, "SHA256SUMS", "TAG.txt"].join(", ")}

Next:
  git tag --annotate v${version} --cleanup=verbatim --file ${folder}/TAG.txt
  ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n file ${folder}/SHA256SUMS
  git push origin HEAD v${version}
Then upload everything in ${folder}, with TAG.txt as the text of the release.`);
