import { createWriteStream } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Network, BundleError } from "@/lib/apps/bundles/handler";
import { guardedLookup, requireAllowedLiteral } from "@/lib/apps/bundles/network";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import { packageVersion } from "@/lib/platform/version";

const maxRedirects = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface DownloadOptions {
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly allowHttp: boolean;
  readonly maxBytes: number;
}

/** Every URL, including redirects, must be allowed. Throws BundleError and may leave a partial file. */
export async function downloadBundle(packageUrl: string, file: string, options: DownloadOptions): Promise<number> {
  let url = readAddress(packageUrl, undefined, options);
  try {
    for (let count = 0; count <= maxRedirects; count += 1) {
      const response = await ask(url, options);
      const location = redirects.has(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location === undefined) return await save(response, url, file, options);
      response.destroy();
      url = readAddress(location, url, options);
    }
  } catch (error) {
    throw describeDownloadFailure(error, url.hostname, options.signal);
  }
  throw new BundleError(`The bundle's address was redirected more than ${maxRedirects} times`);
}

function readAddress(text: string, base: URL | undefined, { network, allowHttp }: DownloadOptions): URL {
  if (!URL.canParse(text, base)) throw new BundleError("The bundle's address is not a URL");
  const url = new URL(text, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new BundleError("The bundle's address is neither https nor http");
  }
  if (url.protocol === "http:" && !allowHttp) {
    const how = base === undefined ? "The bundle's address is" : "The bundle's address was redirected to";
    throw new BundleError(`${how} plain http, which is used only with BUNDLE_ALLOW_PRIVATE=true`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new BundleError("The bundle's address holds a user name or password");
  }
  requireAllowedLiteral(network, url);
  return url;
}

function ask(url: URL, { network, signal }: DownloadOptions): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    // If every address is allowed, the proxy may resolve names, because it may know some that this machine does not.
    const outgoing = { leavesNamesToProxy: network.isOpen === true };
    const { request } = isSecure ? https : http;
    const options = {
      // Its own connection: a shared one was checked for another URL.
      agent: isSecure ? new OutgoingHttpsAgent({}, outgoing) : new OutgoingHttpAgent({}, outgoing),
      lookup: guardedLookup(network),
      signal,
      headers: {
        Accept: "application/zip, */*;q=0.1",
        // A small response must not unpack to a large one.
        "Accept-Encoding": "identity",
        "User-Agent": `open-policy-server/${packageVersion}`,
      },
      ...(network.ca === undefined ? {} : { ca: network.ca }),
    };
    const answer = (response: http.IncomingMessage) => {
      // The reader gets the error too. Without a listener, an unread response would end the process.
      response.on("error", () => undefined);
      resolve(response);
    };
    request(url, options, answer).on("error", reject).end();
  });
}

async function save(
  response: http.IncomingMessage,
  { hostname }: URL,
  file: string,
  { signal, maxBytes }: DownloadOptions,
): Promise<number> {
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200)
      throw new BundleError(`The host ${hostname} answered with status ${statusCode ?? "unknown"}`);
    if (!["", "identity"].includes(headers["content-encoding"] ?? "")) {
      throw new BundleError(`The host ${hostname} sent the bundle in another encoding than asked for`);
    }
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    let size = 0;
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length;
        done(size > maxBytes ? tooLarge(maxBytes) : null, chunk);
      },
    });
    const target = createWriteStream(/* turbopackIgnore: true */ file, { flags: "wx", mode: 0o600 });
    await pipeline(response, count, target, { signal });
    return size;
  } finally {
    response.destroy();
  }
}

function tooLarge(maxBytes: number): BundleError {
  return new BundleError(`The bundle is larger than ${maxBytes} bytes`);
}

/** Meanings of Node.js error codes, as endings of the sentence "The host … ". */
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

const diskCodes = /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EMFILE|ENFILE|ENOENT|EEXIST)$/;

/** Leaves out texts of Node.js, because they reveal IP addresses of the host. */
function describeDownloadFailure(error: unknown, host: string, signal: AbortSignal): BundleError {
  if (error instanceof BundleError) return error;
  if (signal.aborted) return new BundleError(`The bundle of ${host} was given up: there was no time left`);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
  if (diskCodes.test(code)) return new BundleError(`The bundle cannot be written to the disk (${code})`);
  const meaning = meanings.find(([codes]) => codes.test(code))?.[1] ?? "cannot be asked for the bundle";
  return new BundleError(`The host ${host} ${meaning} (${code})`);
}
