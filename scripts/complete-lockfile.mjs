/**
 * Adds platform packages that `npm install` omitted from package-lock.json because the registry lacked them, and the
 * checksums of all packages that have none (`docs/spec/operations.md` O9). Otherwise `npm ci` would refuse the file
 * everywhere, or install what it cannot check.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

let added = 0;
for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const words = name.split(/[-/]/);
    const os = systems.filter((system) => words.includes(system));
    const cpu = processors.filter((processor) => words.includes(processor));
    if (lock.packages[`node_modules/${name}`] || !/^\d/.test(version) || cpu.length === 0) continue;
    lock.packages[`node_modules/${name}`] = { version, cpu, ...(os.length > 0 ? { os } : {}), optional: true };
    added++;
  }
}

let checked = 0;
for (const [folder, { version, integrity, ...rest }] of Object.entries(lock.packages)) {
  // The project itself, links, and packages inside another one's archive have no archive of their own.
  if (folder === "" || integrity || rest.link || rest.inBundle) continue;
  const spec = `${rest.name ?? folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
  const { stdout, stderr } = spawnSync("npm", ["view", spec, "dist.integrity"], { encoding: "utf8" });
  if (!stdout.startsWith("sha512-")) throw new Error(`no checksum of ${spec}: ${stderr}`);
  lock.packages[folder] = { version, integrity: stdout.trim(), ...rest };
  checked++;
}

const [root, ...others] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...others.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform packages and ${checked} checksums added`);
