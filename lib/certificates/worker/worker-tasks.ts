import type { AuthoritySource } from "@/lib/certificates/worker/authority-files";
import type { CertificateRequest, IssuedCertificate } from "@/lib/certificates/worker/issue";
import type { OpenedContainer } from "@/lib/certificates/worker/pkcs12";

/** What the certificate worker can be asked for, and what it answers. */
export interface WorkerTasks {
  /** Issues a certificate for an unencrypted RSA key in PEM. */
  readonly issue: {
    readonly input: { readonly authority: AuthoritySource; readonly clientKey: string } & CertificateRequest;
    readonly output: IssuedCertificate;
  };
  /** Packs certificate and key into a pkcs12 container, Base64. */
  readonly container: {
    readonly input: { readonly certificate: string; readonly privateKey: string; readonly passphrase: string };
    readonly output: string;
  };
  /** Opens a pkcs12 container, Base64. */
  readonly open: {
    readonly input: { readonly container: string; readonly passphrase: string };
    readonly output: OpenedContainer;
  };
  /** Checks that key and certificate of the authority open, fit together and can be packed (`directory.md` 9.4). */
  readonly authority: { readonly input: AuthoritySource; readonly output: boolean };
}
export type TaskName = keyof WorkerTasks;

export interface WorkerRequest<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly input: WorkerTasks[Name]["input"];
}

/**
 * `authority`: the authority's files cannot be used; `period`: its certificate is not valid now; `input`: the given key or
 * certificate cannot be used.
 */
export type WorkerFailure = "authority" | "period" | "input" | "failed";

export type WorkerAnswer = { readonly output: unknown } | { readonly failure: WorkerFailure; readonly reason: string };
