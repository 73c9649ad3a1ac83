/** Does everything that needs node-forge on its own thread, so that it never delays answers to vehicles. */
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import {
  type Authority,
  type AuthoritySource,
  readAuthority,
  TaskRefusal,
} from "@/lib/certificates/worker/authority-files";
import { type CertificateRequest, issueCertificate } from "@/lib/certificates/worker/issue";
import { readPrivateKey } from "@/lib/certificates/worker/key-pair";
import { buildPkcs12, type OpenedContainer, openPkcs12 } from "@/lib/certificates/worker/pkcs12";

/** The authority is read once. Failures and expired ones are not cached, so corrected files need no restart. */
const authorities = new Map<string, Authority>();

async function findAuthority(source: AuthoritySource): Promise<Authority> {
  const key = JSON.stringify(source);
  const known = authorities.get(key);
  if (known !== undefined && known.validTo > new Date()) return known;
  const authority = await readAuthority(source);
  authorities.set(key, authority);
  return authority;
}

interface IssueInput extends CertificateRequest {
  readonly authority: AuthoritySource;
  /** PEM, RSA, not encrypted. */
  readonly clientKey: string;
}
interface PairInput extends OpenedContainer {
  readonly passphrase: string;
}
interface OpenInput {
  /** Base64 */
  readonly container: string;
  readonly passphrase: string;
}

/** `worker-client.ts` takes its types from here. */
const tasks = {
  issue: async ({ authority, clientKey, ...request }: IssueInput) => {
    const key = given("the private key cannot be read", () => readPrivateKey(clientKey));
    return issueCertificate(await findAuthority(authority), key, request, new Date());
  },
  /** Base64. */
  container: ({ certificate, privateKey, passphrase }: PairInput) => {
    const key = given("the private key cannot be read", () => readPrivateKey(privateKey));
    // The same key format for forge, whatever the input.
    const pem = key.export({ type: "pkcs1", format: "pem" }).toString();
    return given("the certificate cannot be packed", () => buildPkcs12(certificate, pem, passphrase));
  },
  open: ({ container, passphrase }: OpenInput) => {
    const opened = given("the container does not open", () => openPkcs12(container, passphrase));
    given("the container's private key cannot be used", () => readPrivateKey(opened.privateKey));
    return opened;
  },
  /** Also checks that key and certificate match and can be packed (`directory.md` 9.4). */
  authority: async (source: AuthoritySource) => {
    const { privateKey, validTo } = await findAuthority(source);
    if (validTo <= new Date()) return false;
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    return buildPkcs12(await readFile(source.caCertificatePath, "utf8"), pem, source.passphrase).length > 0;
  },
};

/** Reads the caller's input; null and errors are the caller's fault. */
function given<T>(reason: string, read: () => T | null): T {
  const value = orNull(read);
  if (value === null) throw new TaskRefusal("input", reason);
  return value;
}

function orNull<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export type WorkerTasks = typeof tasks;

/** Not validated: both sides belong to one build. */
interface WorkerRequest {
  readonly name: keyof WorkerTasks;
  readonly input: never;
}

export type WorkerFailure = TaskRefusal["failure"] | "failed";
export type WorkerAnswer = { readonly output: unknown } | { readonly failure: WorkerFailure; readonly reason: string };

async function answer({ name, input }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    return { output: await tasks[name](input) };
  } catch (error) {
    if (error instanceof TaskRefusal) return { failure: error.failure, reason: error.message };
    // For the log. Omits messages of libraries, because they may quote anything.
    return { failure: "failed", reason: error instanceof Error ? error.name : "unknown" };
  }
}

parentPort?.on("message", (request: WorkerRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result));
});
