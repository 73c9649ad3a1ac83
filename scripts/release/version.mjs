/** Where the version is written, what the changelog says of it, and the statement about a release. All pure but for files. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Every place that names the version: a file and the version in it.
 * @type {readonly { file: string, version: RegExp }[]}
 */
const places = [
  { file: "package.json", version: /(?<=^ {2}"version": ")[^"]+/gm },
  { file: "package-lock.json", version: /(?<="name": "open-policy-server",\s+"version": ")[^"]+/g },
  { file: "Dockerfile", version: /(?<=VERSION=)\d[\d.]+/g },
  { file: "deploy/compose.env.example", version: /(?<=^VERSION=).+/gm },
  { file: "deploy/helm/open-policy-server/Chart.yaml", version: /(?<=^(?:app)?[vV]ersion: "?)[\d.]+/gm },
  { file: "docs/deployment.md", version: /(?<=VERSION=|open-policy-server[-:])\d+\.\d+\.\d+/g },
];

/**
 * @param {string} root
 * @returns {{ file: string, versions: string[] }[]} what each place says
 */
export function readVersions(root) {
  return placesIn(root).map(({ file, text, version }) => ({ file, versions: text.match(version) ?? [] }));
}

/** @throws {Error} if a place names no version; then nothing is written */
export function setVersion(root, wanted) {
  const empty = readVersions(root).find(({ versions }) => versions.length === 0);
  if (empty !== undefined) throw new Error(`${empty.file} names no version`);
  for (const { file, text, version } of placesIn(root)) {
    writeFileSync(path.join(root, file), text.replaceAll(version, wanted));
  }
}

function placesIn(root) {
  return places.map((place) => ({ ...place, text: readFileSync(path.join(root, place.file), "utf8") }));
}

/** Both `x.y.z`. */
export const isNewer = (version, than) => version.localeCompare(than, "en", { numeric: true }) > 0;

/**
 * @param {string} changelog in the format of Keep a Changelog
 * @param {string} version
 * @returns {string | null} what the changelog says of a version, without its heading; null: nothing
 */
export function findSection(changelog, version) {
  const section = changelog.split(/^## /m).find((one) => one.startsWith(`[${version}] - `));
  return section?.slice(section.indexOf("\n")).trim() || null;
}

/**
 * The provenance of a release: in-toto Statement v1 with a predicate of SLSA v1, unsigned.
 * @param {object} facts
 * @param {readonly { name: string, sha256: string }[]} facts.files the release's files
 * @param {string} facts.version
 * @param {string} facts.commit of the sources
 * @param {string} facts.lockDigest SHA-256 of package-lock.json, which names every package with its checksum
 * @param {string} facts.builder URI of who built it
 * @param {Date} facts.startedOn
 * @param {Date} facts.finishedOn
 */
export function buildProvenance({ files, version, commit, lockDigest, builder, startedOn, finishedOn }) {
  const ofSources = { name: "sources", digest: { gitCommit: commit } };
  const ofPackages = { name: "package-lock.json", digest: { sha256: lockDigest } };
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:open-policy-server:release:1",
        externalParameters: { command: `npm run release -- ${version}` },
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [ofSources, ofPackages],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { startedOn: startedOn.toISOString(), finishedOn: finishedOn.toISOString() },
      },
    },
  };
}
