import { createHash, scryptSync } from "node:crypto";
import { errorNamed } from "@/lib/platform/errors";

/** Packed containers by `containerKey`; null: cannot be packed. */
export type Containers = Readonly<Record<string, string | null>>;

/** A container that this process needs is not packed yet: the process that packs has not told of it. */
export class ContainerAwaited extends Error {
  override readonly name = "ContainerAwaited";
  constructor() {
    super("the container of the module certificate is not packed yet");
  }
}
export const isContainerAwaited = errorNamed<ContainerAwaited>("ContainerAwaited");

/** More than are in use at once; a certificate that comes back within so many gets its bytes back. */
const maxKept = 16;

/**
 * The containers of module certificates that are known to a process (rule M10). They hold random salt: the same
 * certificate keeps the bytes of the container that was known first, so that equal data give equal tables (rule G6).
 */
export class ModuleContainers {
  /** The one asked for last is the last. */
  readonly #byKey = new Map<string, string | null>();

  /** The container; null when it could not be packed, undefined when nothing is known of it. */
  get(key: string): string | null | undefined {
    const container = this.#byKey.get(key);
    if (container !== undefined) this.#put(key, container);
    return container;
  }

  /** Takes over a container, unless there is one already. */
  add(key: string, container: string | null): void {
    this.#put(key, this.#byKey.get(key) ?? container);
    for (const oldest of this.#byKey.keys()) {
      if (this.#byKey.size <= maxKept) return;
      this.#byKey.delete(oldest);
    }
  }

  /** Takes over what another process has told or left on disk. */
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
 * Names the container of a pair without telling anything of it. The passphrase goes in by a slow function: the name is kept
 * on disk beside the certificate, where a fast one would let somebody try passphrases.
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

/** What decides the `certificate` member of a policy table. */
export interface ModuleCertificateSettings {
  /** Passphrase of the containers, or null while certificate generation is off. */
  readonly passphrase: string | null;
  /** `MODULE_CONFIG_ENCRYPT_CERT_BUNDLE` */
  readonly asContainer: boolean;
}

/** What a container is packed from: certificate and key (PEM). */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
  readonly passphrase: string;
}

/** Gives the container of a pair, Base64; null when it cannot be packed. */
export type PackCertificate = (pair: CertificatePair) => Promise<string | null>;

/**
 * The `certificate` member of `module_config` (rule M10), or null when it is to be left out.
 *
 * @param stored certificate and private key of the module config, PEM
 * @throws whatever `pack` throws; they are never sent in plain text instead
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
