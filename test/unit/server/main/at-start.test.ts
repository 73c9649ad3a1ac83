import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { closeDataDir, findReadableSecrets } from "@/server/main/at-start";
import { temporaryFolder } from "@/test/support/temporary-folder";

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

const modeOf = (file: string) => statSync(file).mode & 0o777;

it("finding B11: DATA_DIR is the business of this server's user alone", () => {
  const dataDir = path.join(root, "deep", "data");
  expect(closeDataDir({ dataDir })).toBeNull();
  expect(modeOf(dataDir)).toBe(0o700);
  chmodSync(dataDir, 0o755);
  expect(closeDataDir({ dataDir })).toBeNull();
  expect(modeOf(dataDir)).toBe(0o700);
});

it("says so when there can be no folder", () => {
  writeFileSync(path.join(root, "file"), "");
  expect(closeDataDir({ dataDir: path.join(root, "file", "data") })).toMatch(/^DATA_DIR cannot be made/);
});

it("finding B11: names files with secrets that others can read", () => {
  const write = (name: string, mode: number) => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
    chmodSync(file, mode);
    return file;
  };
  write(".env", 0o644);
  const privateKeyPath = write("customizable/ssl/tls.key", 0o640);
  const caPrivateKeyPath = write("customizable/ca/ca.key", 0o600);
  const settings = {
    tls: { port: 1, certificatePath: "", privateKeyPath, legacyCiphers: false },
    certificateGeneration: {
      enabled: true as const,
      caPrivateKeyPath,
      caCertificatePath: "",
      passphrase: "",
      caPassphrase: "",
      commonName: "",
    },
  };
  expect(findReadableSecrets(settings, root)).toEqual([
    expect.stringMatching(/^\.env .*chmod 600$/),
    expect.stringMatching(/^customizable\/ssl\/tls\.key .*chmod 600$/),
  ]);
  expect(findReadableSecrets({ tls: null, certificateGeneration: { enabled: false, missing: [] } }, root)).toHaveLength(
    1,
  );
});
