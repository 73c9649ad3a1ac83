import { createPrivateKey, randomUUID, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import * as certificateRoute from "@/app/api/v1/security/certificate/route";
import * as privateRoute from "@/app/api/v1/security/private/route";
import { authorityState } from "@/lib/certificates/generation";
import { send } from "@/test/support/applications";
import { createTestAuthority, testPassphrase, useAuthority, type TestAuthority } from "@/test/support/authority";
import { withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();

const { authority, pair } = withTestAuthority();
const clientKey = pair.privateKey;
const locked = createTestAuthority({ encrypted: true, commonName: "Prüfstelle Ä" });
beforeEach(() => useAuthority(authority));

const makeKey = (body?: unknown) => send(privateRoute.POST, body);
const issue = (body: unknown) => send(certificateRoute.POST, body);
const bitsOf = (pem: string) => createPrivateKey(pem).asymmetricKeyDetails?.modulusLength;

function verify(certificate: string, by: TestAuthority): string {
  writeFileSync(path.join(by.folder, "issued.crt"), certificate);
  return by.openssl(["verify", "-x509_strict", "-CAfile", "ca.crt", "issued.crt"]);
}
const describeCertificate = (certificate: string, ...what: string[]) =>
  authority.openssl(["x509", "-noout", "-nameopt", "RFC2253,-esc_msb,utf8,-dn_rev", ...what], certificate).trim();

describe("POST /security/private (6.3)", () => {
  it("makes an unencrypted RSA key of the default size", async () => {
    const answer = await makeKey();
    expect(answer.status).toBe(200);
    expect(answer.data).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
    expect(bitsOf(answer.data)).toBe(2048);
    expect((await makeKey()).data).not.toBe(answer.data);
  });

  it("takes the size from the request, else from the settings", async () => {
    expect(bitsOf((await makeKey({ options: { keyBitsize: 1024, cipher: "des3" } })).data)).toBe(1024);
    expect(bitsOf((await makeKey({ options: { keyBitsize: "1536" } })).data)).toBe(1536);
    useAuthority(authority, { PRIVATE_KEY_BITSIZE: "1024" });
    for (const keyBitsize of ["", "many", null, true, [4096], { $gt: 1 }, undefined]) {
      expect(bitsOf((await makeKey({ options: { keyBitsize } })).data)).toBe(1024);
    }
  });

  it.each([1023, 8193, 0, -2048, 1e308, 2048.5, "512", "-2048", "2048.5", "9".repeat(400)])(
    "refuses the size %j",
    async (keyBitsize) => {
      const answer = await makeKey({ options: { keyBitsize } });
      expect([answer.status, answer.message]).toEqual([400, expect.stringContaining("keyBitsize")]);
    },
  );

  it("refuses options that are no object", async () => {
    expect((await makeKey({ options: [] })).status).toBe(400);
    expect((await makeKey({ options: 5 })).status).toBe(400);
  });
});

describe("POST /security/certificate (6.4)", () => {
  it("issues a certificate of the authority for the given key", async () => {
    const { status, data } = await issue({ options: { clientKey } });
    expect(status).toBe(200);
    expect(Object.keys(data)).toEqual(["certificate", "csr", "clientKey", "serviceKey"]);
    expect(data).toMatchObject({ clientKey, serviceKey: null });
    expect(verify(data.certificate, authority)).toContain("OK");
    expect(authority.openssl(["x509", "-noout", "-pubkey"], data.certificate)).toBe(
      authority.openssl(["rsa", "-pubout"], clientKey),
    );
    authority.openssl(["req", "-verify", "-noout"], data.csr);
    expect(authority.openssl(["req", "-noout", "-subject"], data.csr)).toContain("CN = policy.example.com");
    expect(data.certificate).not.toContain("\r");
  });

  it.each(["private_key", "clientKey"])("takes the key as %s, in options or at top level", async (name) => {
    expect((await issue({ options: { [name]: clientKey } })).status).toBe(200);
    expect((await issue({ [name]: clientKey })).data.clientKey).toBe(clientKey);
    expect((await issue({ options: { [name]: "" }, [name]: clientKey })).status).toBe(200);
  });

  it("takes keys of PKCS#8 as well", async () => {
    const pkcs8 = authority.openssl(["pkcs8", "-topk8", "-nocrypt"], clientKey);
    expect(pkcs8).toContain("BEGIN PRIVATE KEY");
    expect((await issue({ options: { clientKey: pkcs8 } })).status).toBe(200);
  });

  it("orders the subject and leaves out what has no value", async () => {
    const serialNumber = randomUUID();
    const options = {
      clientKey,
      serialNumber,
      emailAddress: "a@example.com",
      organizationUnit: "Unit",
      organization: "Org",
      locality: "Köln",
      state: "NRW",
      country: "DE",
      commonName: "Näme",
    };
    expect(describeCertificate((await issue({ options })).data.certificate, "-subject")).toBe(
      `subject=C=DE,ST=NRW,L=Köln,O=Org,OU=Unit,CN=Näme,emailAddress=a@example.com,serialNumber=${serialNumber}`,
    );
    expect(describeCertificate((await issue({ clientKey })).data.certificate, "-subject")).toBe(
      "subject=CN=policy.example.com",
    );
  });

  it("fills in the settings, an empty text included", async () => {
    useAuthority(authority, {
      CERTIFICATE_COUNTRY: "SE",
      CERTIFICATE_STATE: "Skåne",
      CERTIFICATE_ORGANIZATION: "Org",
    });
    const { data } = await issue({ options: { clientKey, country: "", state: null, organization: "Other" } });
    expect(describeCertificate(data.certificate, "-subject")).toBe(
      "subject=C=SE,ST=Skåne,O=Other,CN=policy.example.com",
    );
  });

  it("is valid from now for the days that are asked for, else for CERTIFICATE_DAYS", async () => {
    const daysOf = async (options: Record<string, unknown>) => {
      const { certificate } = (await issue({ options: { clientKey, ...options } })).data;
      const [from, to] = [...describeCertificate(certificate, "-dates").matchAll(/=(.*)/g)].map(([, date]) =>
        Date.parse(date ?? ""),
      );
      expect(Math.abs((from ?? 0) - Date.now())).toBeLessThan(60_000);
      return ((to ?? 0) - (from ?? 0)) / 86_400_000;
    };
    expect(await daysOf({})).toBe(7);
    expect(await daysOf({ days: 1 })).toBe(1);
    expect(await daysOf({ days: "3650" })).toBe(3650);
    useAuthority(authority, { CERTIFICATE_DAYS: "30" });
    expect(await daysOf({ days: "" })).toBe(30);
  });

  it.each(["sha256", "sha384", "sha512"])("signs with CERTIFICATE_HASH %s, whatever the request says", async (hash) => {
    useAuthority(authority, { CERTIFICATE_HASH: hash });
    const { certificate } = (await issue({ options: { clientKey, hash: "md5" } })).data;
    expect(describeCertificate(certificate, "-text")).toContain(`Signature Algorithm: ${hash}WithRSAEncryption`);
    expect(verify(certificate, authority)).toContain("OK");
  });

  it("opens an authority's key with the passphrase, and keeps its name byte for byte", async () => {
    useAuthority(locked);
    const { status, data } = await issue({ clientKey });
    expect(status).toBe(200);
    expect(verify(data.certificate, locked)).toContain("OK");
    expect(describeCertificate(data.certificate, "-issuer")).toBe("issuer=C=DE,O=Test,CN=Prüfstelle Ä");
  });

  it("serves many at once, each with a random positive serial number of 64 bits or more", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => issue({ clientKey })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const serials = answers.map(({ data }) => new X509Certificate(data.certificate).serialNumber);
    expect(new Set(serials).size).toBe(40);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it.each([{}, { options: {} }, { options: { clientKey: null } }, { clientKey: "" }, { options: null }])(
    "wants a key: %j",
    async (body) => expect(await issue(body)).toMatchObject({ status: 400, message: "options.clientKey is required" }),
  );

  it("refuses a key that cannot be read", async () => {
    const unreadable = [
      "nonsense",
      clientKey.slice(0, 400),
      `${clientKey}\u0000`,
      authority.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]),
      authority.openssl(["rsa", "-aes256", "-passout", "pass:x"], clientKey),
      authority.openssl(["rsa", "-pubout"], clientKey),
      authority.openssl(["genrsa", "512"]),
    ];
    for (const key of unreadable) {
      expect(await issue({ clientKey: key })).toMatchObject({
        status: 400,
        message: expect.stringMatching(/^The private key is not valid: it must be an unencrypted RSA key/),
      });
    }
  });

  it.each([
    ["country", "D"],
    ["country", "DEU"],
    ["country", "12"],
    ["country", 5],
    ["state", "x".repeat(129)],
    ["locality", "a\nb"],
    ["organization", "x".repeat(65)],
    ["organizationUnit", "a\u0000"],
    ["commonName", "a\rb"],
    ["commonName", "\ud800"],
    ["commonName", { $gt: "" }],
    ["emailAddress", ["a@b"]],
    ["serialNumber", "a\tb"],
    ["serialNumber", "x".repeat(65)],
    ["days", 0],
    ["days", 3651],
    ["days", 1.5],
    ["days", "-1"],
    ["days", "1e2"],
    ["days", true],
    ["clientKey", 5],
  ])("refuses options.%s = %j", async (name, value) => {
    const answer = await issue({ options: { clientKey, [name]: value } });
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(`options.${name}`)]);
  });

  it("answers a neutral 500 when the authority cannot be used, without its key or its place", async () => {
    const broken = { ...authority, caPrivateKeyPath: path.join(authority.folder, "gone.key") };
    useAuthority(broken);
    const answer = await issue({ clientKey });
    expect(answer).toMatchObject({ status: 500, data: {}, message: "Internal server error" });
    expect(JSON.stringify(answer)).not.toContain("gone.key");
    useAuthority({ ...authority, caPrivateKeyPath: locked.caPrivateKeyPath });
    expect((await issue({ clientKey })).status).toBe(500);
  });
});

it("2.4, directory.md 9.4: /about tells whether generation is on and whether the authority can be used", async () => {
  expect(await authorityState()).toEqual({ certificate_authority: true, is_authority_valid: true });
  useAuthority(locked);
  expect(await authorityState()).toEqual({ certificate_authority: true, is_authority_valid: true });
  useAuthority(locked, { CERTIFICATE_PASSPHRASE: `${testPassphrase}!` });
  expect(await authorityState()).toEqual({ certificate_authority: true, is_authority_valid: false });
  writeFileSync(path.join(authority.folder, "damaged.key"), readFileSync(authority.caPrivateKeyPath).subarray(100));
  const unusable = ["damaged.key", "gone.key"].map((name) => path.join(authority.folder, name));
  for (const caPrivateKeyPath of [locked.caPrivateKeyPath, ...unusable]) {
    useAuthority({ ...authority, caPrivateKeyPath });
    expect(await authorityState()).toEqual({ certificate_authority: true, is_authority_valid: false });
  }
  useSettings();
  expect(await authorityState()).toEqual({ certificate_authority: false });
});

it("answers 400 while generation is off", async () => {
  useSettings();
  const message = "Certificate generation is not configured";
  expect(await makeKey()).toMatchObject({ status: 400, message });
  expect(await issue({ clientKey })).toMatchObject({ status: 400, message });
});
