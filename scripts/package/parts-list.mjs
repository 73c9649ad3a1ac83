import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The CycloneDX list of what the package in the folder `stage` holds; what is not packed is left out. */
export function listParts(root, stage) {
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
  // A package that lies inside of another one is a component of it.
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
