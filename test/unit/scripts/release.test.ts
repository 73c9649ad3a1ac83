import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { version } from "@/package.json";
import { buildProvenance, findSection, isNewer, readVersions, setVersion } from "@/scripts/release/version.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

const versionsIn = (root: string) => [...new Set(readVersions(root).flatMap(({ versions }) => versions))];

it("O11: sets the version wherever it is written, or nowhere", () => {
  expect(readVersions(".").filter(({ versions }) => versions.length === 0)).toEqual([]);
  expect(versionsIn(".")).toEqual([version]);
  const copy = temporaryFolder();
  for (const { file } of readVersions(".")) cpSync(file, path.join(copy, file));
  setVersion(copy, "12.34.56");
  expect(versionsIn(copy)).toEqual(["12.34.56"]);
  const lock = JSON.parse(readFileSync(path.join(copy, "package-lock.json"), "utf8"));
  expect([lock.version, lock.packages[""].version]).toEqual(["12.34.56", "12.34.56"]);
});

it.each([
  ["1.0.0", "0.1.0", true],
  ["1.10.0", "1.9.3", true],
  ["1.0.0", "1.0.0", false],
  ["1.9.0", "1.10.0", false],
])("O11: whether %s is newer than %s", (one, other, expected) => expect(isNewer(one, other)).toBe(expected));

it("O11: the text of a tag is the section of the changelog", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n## [2.0.0] - 2027-01-31\n\n### Added\n\n- A wheel.\n\n## [1.0.0] - 2026-11-30\n";
  expect(["2.0.0", "1.0.0", "Unreleased", "2.0"].map((one) => findSection(changelog, one))).toEqual([
    "### Added\n\n- A wheel.",
    ...[null, null, null],
  ]);
  expect(findSection(readFileSync("CHANGELOG.md", "utf8"), version)).not.toBeNull();
});

it("O11: the provenance names what was built from what, in the forms of in-toto and SLSA", () => {
  const [startedOn, finishedOn] = [new Date(0), new Date(60_000)];
  const files = [{ name: "a.tar.gz", sha256: "aa" }];
  const facts = {
    files,
    version: "2.0.0",
    commit: "c0ffee",
    lockDigest: "bb",
    builder: "urn:x",
    startedOn,
    finishedOn,
  };
  expect(buildProvenance(facts)).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "a.tar.gz", digest: { sha256: "aa" } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: expect.stringMatching(/^urn:/),
        externalParameters: { command: "npm run release -- 2.0.0" },
        resolvedDependencies: [{ digest: { gitCommit: "c0ffee" } }, { digest: { sha256: "bb" } }],
      },
      runDetails: { builder: { id: "urn:x" }, metadata: { finishedOn: "1970-01-01T00:01:00.000Z" } },
    },
  });
});
