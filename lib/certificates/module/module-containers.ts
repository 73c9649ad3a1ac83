"one per process";

import { createHash, scryptSync } from "node:crypto";

/** By `containerKey`; null if it cannot be packed. */
export type Containers = Readonly<Record<string, string | null>>;

/** A container that this process needs is not packed yet, or the packing process has not sent it yet. */
export class ContainerAwaited extends Error {
  override readonly name = "ContainerAwaited";
  constructor() {
    super("the container of the module certificate is not packed yet");
  }
}

/** More than are in use at once. A certificate that returns after fewer others gets the same bytes again. */
const maxKept = 16;

/** Containers have random salt: a certificate keeps its first one, so that equal data makes equal tables. */
export class ModuleContainers {
  readonly #byKey = new Map<string, string | null>();

  get(key: string): string | null | undefined {
    const container = this.#byKey.get(key);
    if (container !== undefined) this.#put(key, container);
    return container;
  }

  add(key: string, container: string | null): void {
    this.#put(key, this.#byKey.get(key) ?? container);
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= maxKept) return;
      this.#byKey.delete(oldest);
    }
  }

  addAll(containers: Containers): void {
    for (const [key, container] of Object.entries(containers)) this.add(key, container);
  }

  toRecord(): Containers {
    return Object.fromEntries(this.#byKey);
  }

  #put(key: string, container: string | null): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, container);
  }
}

let derived: { readonly passphrase: string; readonly bytes: Buffer } | null = null;

/** The passphrase is hashed slowly, because on disk, next to the certificate, a fast hash would allow guessing it. */
export function containerKey({ certificate, privateKey, passphrase }: CertificatePair): string {
  if (derived?.passphrase !== passphrase) {
    derived = { passphrase, bytes: scryptSync(passphrase, "container of a module certificate", 32) };
  }
  return createHash("sha256")
    .update(JSON.stringify([certificate, privateKey]))
    .update(derived.bytes)
    .digest("hex");
}

export interface ModuleCertificateSettings {
  /** Null while certificate generation is off. */
  readonly passphrase: string | null;
  /** `MODULE_CONFIG_ENCRYPT_CERT_BUNDLE` */
  readonly asContainer: boolean;
}

/** PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
  readonly passphrase: string;
}

/** Base64; null if the pair cannot be packed. */
export type PackCertificate = (pair: CertificatePair) => Promise<string | null>;

/** The `certificate` of `module_config` (rule M10); null omits it. If `pack` fails, no plain text is sent either. */
export async function buildModuleCertificate(
  stored: { readonly certificate: string | null; readonly privateKey: string | null },
  settings: ModuleCertificateSettings,
  pack: PackCertificate,
): Promise<string | null> {
  const { certificate, privateKey } = stored;
  const { passphrase, asContainer } = settings;
  if (passphrase === null || !certificate || !privateKey) return null;
  return asContainer ? pack({ certificate, privateKey, passphrase }) : `${certificate}\n${privateKey}`;
}
