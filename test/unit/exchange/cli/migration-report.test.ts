import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { withoutSecrets, withReport } from "@/lib/exchange/cli/migration-report";
import { temporaryFolder } from "@/test/support/temporary-folder";

const folder = temporaryFolder();

describe("X6c: the report of moving over", () => {
  it("M6: is there from the first moment, and complete after each step", async () => {
    const file = path.join(folder, "steps.json");
    const read = () => JSON.parse(readFileSync(file, "utf8"));
    const seen: unknown[] = [];
    await withReport(file, { command: "import" }, async ({ tell }) => {
      seen.push(read());
      await tell({ state: "read" });
      seen.push(read());
      await tell({ state: "done", carried: { apps: 1 } });
    });
    expect([...seen, read()]).toEqual([
      { state: "started", command: "import" },
      { state: "read", command: "import" },
      { state: "done", command: "import", carried: { apps: 1 } },
    ]);
  });

  it("M6: one that cannot be completed ends no run, and is told until it can", async () => {
    const below = path.join(folder, "below");
    mkdirSync(below);
    const file = path.join(below, "report.json");
    await withReport(file, {}, async ({ tell, problem }) => {
      expect(problem()).toBeNull();
      rmSync(below, { recursive: true });
      await tell({ state: "stored" });
      expect(problem()).toBe(`The report cannot be written to ${file}: its folder does not exist`);
      mkdirSync(below);
      await tell({ state: "done" });
      expect(problem()).toBeNull();
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ state: "done" });
  });

  it("replaces what a killed run has left, whatever its mode", async () => {
    const file = path.join(folder, "killed.json");
    writeFileSync(`${file}.part`, "half", { mode: 0o644 });
    await withReport(file, {}, () => Promise.resolve());
    expect(readFileSync(file, "utf8")).toContain('"started"');
  });

  it("M8: says of secrets only whether they are the same", () => {
    const pem = "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----";
    const at = new Date(0);
    const certificate = { path: "module_config.certificate", reason: "known" };
    const seconds = { path: "module_config.seconds", before: 1, after: 2 };
    const [one, two] = ["sha256:7692c3ad3540bb80", "sha256:3fc4ccfe745870e2"];
    expect(
      withoutSecrets({
        at,
        count: 3,
        list: [`a ${pem} b`, "-----BEGIN PRIVATE KEY-----\ncut off", "mongodb://me:secret@host/db"],
        config: { certificate: pem, privateKey: pem, private_key: "x", container: "QUJD", expires: null },
        differences: [{ ...certificate, before: "one", after: "two", there: "one", here: "two" }, seconds],
      }),
    ).toEqual({
      at,
      count: 3,
      list: ["a [private key] b", "[private key]", "mongodb://***@host/db"],
      config: {
        certificate: expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
        privateKey: expect.stringMatching(/^sha256:/),
        private_key: expect.stringMatching(/^sha256:/),
        container: expect.stringMatching(/^sha256:/),
        expires: null,
      },
      differences: [{ ...certificate, before: one, after: two, there: one, here: two }, seconds],
    });
  });
});
