"one per process";

import { z } from "zod";
import type { LookupAddress } from "node:dns";
import type { Settings } from "@/lib/platform/settings";

const size = z.int().positive();

export const handledBundle = z.object({
  /** Absolute URL where anybody can download it. */
  url: z.url({ protocol: /^https?$/ }),
  sizeCompressedBytes: size,
  /** Sum of the sizes of all files in it. */
  sizeDecompressedBytes: size,
});
/** The data of an embedded app's bundle once it has been handled (`directory.md` section 8). */
export type HandledBundle = Readonly<z.infer<typeof handledBundle>>;

export interface MeasuredBundle extends Omit<HandledBundle, "url"> {
  /** Absolute path; the file may be moved away. */
  readonly file: string;
}

export interface Network {
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
  /** Whether all addresses are allowed, so that checks can be skipped; default: false. */
  readonly isOpen?: boolean;
  /** PEM of authorities to trust instead of the default ones. */
  readonly ca?: string;
}

export interface BundleCall {
  /** The URL from the app directory. Developers choose it, so do not trust it. */
  readonly packageUrl: string;
  readonly settings: Settings;
  /** Aborted when the time for the bundle is over. Anything slow must stop then. */
  readonly signal: AbortSignal;
  readonly network: Network;
  /** Of the compressed bundle. */
  readonly maxBytes: number;
}

/** Rejects with a `BundleError` if the bundle is unusable, and then leaves nothing behind. */
export type BundleHandler = (call: BundleCall) => Promise<HandledBundle>;

/** A bundle is unusable. The message is for administrators and reveals no IP address of a host. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}
