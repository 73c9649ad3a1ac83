import { createHash, scryptSync } from "node:crypto";
import { errorNamed } from "@/lib/platform/errors";

/** Packed containers by `containerKey`; null if it cannot be packed. */
export type Containers = Readonly<Record<string, string | null>>;

/** A container that this process needs is not packed yet, or the packing process has not sent it yet. */
export class ContainerAwaited extends Error {
  override readonly name = "ContainerAwaited";
  constructor() {
    super("the container of the module certificate is not packed yet");
  }
}
export const isContainerAwaited = errorNamed<ContainerAwaited>("ContainerAwaited");

/** More than are in use at once. A certificate that returns after fewer others gets the same bytes again. */
const maxKept = 16;

/**
 * The containers of module certificates that a process knows (rule M10). They contain random salt, so a certificate keeps
 * the bytes of its first known container, and equal data produces equal tables (rule G6).
 */
export class ModuleContainers {
  /** Most recently used last. */
  readonly #byKey = new Map<string, string | null>();

  /** The container; null if it could not be packed, undefined if unknown. */
  get(key: string): string | null | undefined {
    const container = this.#byKey.get(key);
    if (container !== undefined) this.#put(key, container);
    return container;
  }

  /** Adds a container unless there already is one. */
  add(key: string, container: string | null): void {
    this.#put(key, this.#byKey.get(key) ?? container);
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= maxKept) return;
      this.#byKey.delete(oldest);
    }
  }

  /** Adds the containers sent by another process or saved on disk. */
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

/**
 * Identifies the container of a pair without revealing anything about it. The passphrase is hashed with a slow function,
 * because the key is stored on disk next to the certificate, where a fast hash would allow guessing.
 */
export function containerKey({ certificate, privateKey, passphrase }: CertificatePair): string {
  if (derived?.passphrase !== passphrase) {
    derived = { passphrase, bytes: scryptSync(passphrase, "container of a module certificate", 32) };
  }
  return createHash("sha256")
    .update(JSON.stringify([certificate, privateKey]))
    .update(derived.bytes)
    .digest("hex");
}

/** Settings for the `certificate` member of a policy table. */
export interface ModuleCertificateSettings {
  /** Passphrase of the containers; null while certificate generation is off. */
  readonly passphrase: string | null;
  /** `MODULE_CONFIG_ENCRYPT_CERT_BUNDLE` */
  readonly asContainer: boolean;
}

/** The content of a container: certificate and key (PEM). */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
  readonly passphrase: string;
}

/** Returns the container of a pair, Base64; null if it cannot be packed. */
export type PackCertificate = (pair: CertificatePair) => Promise<string | null>;

/**
 * The `certificate` member of `module_config` (rule M10); null omits it.
 *
 * @param stored certificate and private key of the module config, PEM
 * @throws errors of `pack`; then they are not sent as plain text either
 */
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
