import { type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import forge from "node-forge";
import { readPrivateKey } from "@/lib/certificates/worker/key-pair";

export interface AuthoritySource {
  readonly caPrivateKeyPath: string;
  readonly caCertificatePath: string;
  /** Opens the key if it is encrypted. */
  readonly passphrase: string;
}

/** The authority, ready to sign. Never leaves the worker thread. */
export interface Authority {
  readonly privateKey: KeyObject;
  /** Its name with exactly the bytes of its certificate, which certificates refer to. */
  readonly subject: forge.asn1.Asn1;
  /** Validity of its certificate. */
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Subject key identifier in hexadecimal digits, if its certificate has one. */
  readonly keyId: string | null;
}

/**
 * `authority`: its files are unusable; `period`: its certificate is not valid now, and the message completes "The
 * authority's certificate …"; `input`: the given key or certificate is unusable. Messages contain no secrets.
 */
export class TaskRefusal extends Error {
  override readonly name = "TaskRefusal";
  constructor(
    readonly failure: "authority" | "period" | "input",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throws TaskRefusal if a file cannot be read or opened, or the two do not match. */
export async function readAuthority(source: AuthoritySource): Promise<Authority> {
  const [keyText, certificateText] = await Promise.all([
    readText(source.caPrivateKeyPath, "private key"),
    readText(source.caCertificatePath, "certificate"),
  ]);
  const privateKey = readPrivateKey(keyText, source.passphrase);
  if (privateKey === null) throw new TaskRefusal("authority", "the authority's private key cannot be opened");
  const certificate = parse(() => new X509Certificate(certificateText));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TaskRefusal("authority", "the authority's private key and certificate do not belong together");
  }
  return parse(() => {
    const content = forge.asn1.fromDer(certificate.raw.toString("binary"));
    const keyId: unknown = forge.pki.certificateFromAsn1(content).getExtension("subjectKeyIdentifier");
    return {
      privateKey,
      subject: subjectOf(content),
      keyId: keyIdOf(keyId),
      validFrom: new Date(certificate.validFrom),
      validTo: new Date(certificate.validTo),
    };
  });
}

async function readText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new TaskRefusal("authority", `the authority's ${what} cannot be read`, { cause });
  }
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new TaskRefusal("authority", "the authority's certificate cannot be understood", { cause });
  }
}

/** A certificate contains version, serial number, algorithm, issuer, validity and subject; old ones lack the version. */
function subjectOf(certificate: forge.asn1.Asn1): forge.asn1.Asn1 {
  const content = childrenOf(childrenOf(certificate)[0]);
  const hasVersion = content[0]?.tagClass === forge.asn1.Class.CONTEXT_SPECIFIC;
  const subject = content[hasVersion ? 5 : 4];
  if (subject === undefined) throw new TypeError("a certificate has a subject");
  return subject;
}

function childrenOf(element: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  if (!Array.isArray(element?.value)) throw new TypeError("a certificate is a sequence of sequences");
  return element.value;
}

function keyIdOf(extension: unknown): string | null {
  if (typeof extension !== "object" || extension === null || !("subjectKeyIdentifier" in extension)) return null;
  const keyId = extension.subjectKeyIdentifier;
  return typeof keyId === "string" ? keyId : null;
}
