import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import forge from "node-forge";
import { loadSettings, replaceSettings } from "@/lib/platform/settings";
import { generationEnv, useSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

export const testPassphrase = "test passphrase";

/** Keys of leaves, in turn, because making one takes longer than a test: pairs made soon after each other differ. */
const leafKeys: string[] = [];
function nextLeafKey(count: number): string {
  return (leafKeys[count % 4] ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey);
}

export type TestAuthority = ReturnType<typeof createTestAuthority>;

/** `encrypted` protects its key with the passphrase; `commonName` tests characters beyond ASCII. */
export function createTestAuthority(options: { readonly encrypted?: boolean; readonly commonName?: string } = {}) {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  const openssl = (args: readonly string[], input?: string) =>
    execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], input });
  const protection = options.encrypted ? ["-aes256", "-passout", `pass:${testPassphrase}`] : [];
  openssl(["genrsa", ...protection, "-out", "ca.key", "2048"]);
  const opening = options.encrypted ? ["-passin", `pass:${testPassphrase}`] : [];
  const usage = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"];
  const subject = ["-utf8", "-subj", `/C=DE/O=Test/CN=${options.commonName ?? "Test Authority"}`];
  openssl([
    "req",
    "-x509",
    "-new",
    "-key",
    "ca.key",
    ...opening,
    "-days",
    "4000",
    ...subject,
    ...usage,
    "-out",
    "ca.crt",
  ]);
  let count = 0;
  return {
    folder,
    caPrivateKeyPath: path.join(folder, "ca.key"),
    caCertificatePath: path.join(folder, "ca.crt"),
    openssl,
    /** A key and a certificate of this authority. Negative `days` make it expired. */
    aPair: ({ days = 7, commonName = "leaf" } = {}) => {
      const name = `leaf-${(count += 1)}`;
      writeFileSync(path.join(folder, `${name}.key`), nextLeafKey(count));
      openssl(["req", "-new", "-key", `${name}.key`, "-subj", `/CN=${commonName}`, "-out", `${name}.csr`]);
      mkdirSync(path.join(folder, name), { recursive: true });
      writeFileSync(path.join(folder, name, "index.txt"), "");
      writeFileSync(
        path.join(folder, `${name}.cnf`),
        `[ca]\ndefault_ca=a\n[a]\ndatabase=${name}/index.txt\nnew_certs_dir=${name}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n`,
      );
      const at = (day: number) => new Date(Date.now() + day * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, "");
      const time = ["-startdate", at(Math.min(0, days) - 1), "-enddate", at(days)];
      const authority = ["-cert", "ca.crt", "-keyfile", "ca.key", ...opening];
      openssl([
        "ca",
        "-batch",
        "-config",
        `${name}.cnf`,
        ...authority,
        ...time,
        "-in",
        `${name}.csr`,
        "-out",
        `${name}.crt`,
        "-notext",
      ]);
      const read = (extension: string) => readFileSync(path.join(folder, `${name}.${extension}`), "utf8");
      return { certificate: read("crt"), privateKey: read("key") };
    },
    setValidity: (from: Date, to: Date) => {
      const key = forge.pki.privateKeyFromPem(readFileSync(path.join(folder, "ca.key"), "utf8"));
      const certificate = forge.pki.certificateFromPem(readFileSync(path.join(folder, "ca.crt"), "utf8"));
      certificate.validity.notBefore = from;
      certificate.validity.notAfter = to;
      certificate.sign(key, forge.md.sha256.create());
      writeFileSync(path.join(folder, "ca.crt"), forge.pki.certificateToPem(certificate));
    },
  };
}

export function useAuthority(authority: TestAuthority, env: Readonly<Record<string, string>> = {}): void {
  useSettings({ ...generationEnv(testPassphrase), ...env });
  const settings = loadSettings();
  const generation = settings.certificateGeneration;
  if (!generation.enabled) throw new Error("certificate generation is off");
  const { caPrivateKeyPath, caCertificatePath } = authority;
  replaceSettings({ ...settings, certificateGeneration: { ...generation, caPrivateKeyPath, caCertificatePath } });
}
