import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Border how a way continues without an import, from an earlier part to a file of the next one
 * @property {string} [route] "POST /api/v1/groups": an earlier file names the path, the next part has the file of the route
 * @property {string} [message] files on both sides name it
 * @property {string} [through] a file that files on both sides import, such as a model
 * @property {string} why
 * @typedef {object} Part files that import each other: each but the first is imported by an earlier one
 * @property {Border} [border] the first part has none
 * @property {readonly string[]} files
 * @typedef {{ readonly name: string, readonly goal?: number, readonly parts: readonly Part[] }} Way
 */

/**
 * Reading paths through the program, as listed in `ways.json`.
 * @param {string} root of the project
 * @returns {Way[]}
 */
export function readWays(root) {
  return JSON.parse(readFileSync(path.join(root, "scripts/ways.json"), "utf8"));
}

/**
 * @param {Way} way
 * @returns {string[]} its files, each once
 */
export function stationsOf({ parts }) {
  return [...new Set(parts.flatMap(({ files }) => files))];
}

/**
 * Finds errors in a way: missing files, and steps without an import or border.
 * @param {Way} way
 * @param {readonly import("./sources.mjs").Source[]} sources
 * @returns {string[]} sentences
 */
export function findGaps({ name, parts }, sources) {
  const known = new Map(sources.map((source) => [source.file, source]));
  const before = [];
  const gaps = parts.flatMap(({ border, files }, at) => {
    const missing = files.filter((file) => !known.has(file)).map((file) => `${file} does not exist`);
    if (missing.length > 0) return missing;
    const unreached = files
      .slice(1)
      .filter((file, index) => !files.slice(0, index + 1).some((from) => isImport(from, file)));
    const isJoined =
      at === 0 ? border === undefined : border && before.some((from) => files.some((to) => isBorder(from, to, border)));
    before.push(...files);
    return [
      ...unreached.map((file) => `${file} is imported by no file before it`),
      ...(isJoined ? [] : [`no border leads to ${files[0]}`]),
    ];
  });
  return gaps.map((gap) => `${name}: ${gap}`);

  function isImport(from, to) {
    return known.get(from).imports.some(({ file }) => file === to);
  }

  function isBorder(from, to, { route, message, through, why }) {
    if (!why) return false;
    if (route !== undefined) {
      const [method, address] = route.split(" ");
      return to === `app${address}/route.ts` && textOf(to).includes(method) && textOf(from).includes(address);
    }
    if (message !== undefined) return [from, to].every((file) => textOf(file).includes(message));
    return through !== undefined && [from, to].every((file) => isImport(file, through));
  }

  function textOf(file) {
    return known.get(file)?.text ?? "";
  }
}
