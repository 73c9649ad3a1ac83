import { BundleError, isBundleError } from "@/lib/apps/bundles/handler";

/** What the codes of Node.js mean, as ends of the sentence "The host … ". */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, "cannot be found"],
  [/^ECONNREFUSED$/, "refuses connections"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|ENETDOWN)$/, "cannot be reached"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/, "broke the connection off"],
  [/^EPROXY$/, "cannot be reached: the proxy of HTTPS_PROXY or HTTP_PROXY refuses it"],
  [/^HPE_/, "does not answer in HTTP"],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    "has no usable TLS certificate",
  ],
];

/** Failures of our own disk. */
const diskCodes = /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EMFILE|ENFILE|ENOENT|EEXIST)$/;

/**
 * The failure of a download as a sentence for administrators. Texts of Node.js are left out, because they name the
 * addresses that a host name stands for.
 *
 * @param signal when it has been aborted, that is the reason
 */
export function describeDownloadFailure(error: unknown, host: string, signal: AbortSignal): BundleError {
  if (isBundleError(error)) return error;
  if (signal.aborted) return new BundleError(`The bundle of ${host} was given up: there was no time left`);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
  if (diskCodes.test(code)) return new BundleError(`The bundle cannot be written to the disk (${code})`);
  const meaning = meanings.find(([codes]) => codes.test(code))?.[1] ?? "cannot be asked for the bundle";
  return new BundleError(`The host ${host} ${meaning} (${code})`);
}
