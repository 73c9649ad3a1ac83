import { z } from "zod";
import type { LookupAddress } from "node:dns";
import { errorNamed } from "@/lib/platform/errors";
import type { Settings } from "@/lib/platform/settings";

const size = z.int().positive();

/** What every handler must answer, whoever wrote it. */
export const handledBundle = z.object({
  /** Absolute address under which everybody can fetch it. */
  url: z.url({ protocol: /^https?$/ }),
  /** Size of the archive. */
  sizeCompressedBytes: size,
  /** Sum of the sizes of all files in it. */
  sizeDecompressedBytes: size,
});
/** What is known of the bundle of an embedded app when it has been handled (`directory.md` section 8). */
export type HandledBundle = Readonly<z.infer<typeof handledBundle>>;

/** A bundle on our disk, for as long as somebody works on it. */
export interface MeasuredBundle extends Omit<HandledBundle, "url"> {
  /** Absolute path; may be moved away. */
  readonly file: string;
}

/** How hosts are found, and which addresses may be asked. Tests bring their own. */
export interface Network {
  /** All addresses of a host name. */
  readonly resolve: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
  /** Whether all addresses are, so that nobody has to look at them; false when not given. */
  readonly isOpen?: boolean;
  /** PEM of authorities that are trusted instead of the usual ones. */
  readonly ca?: string;
}

/** What a handler works with. */
export interface BundleCall {
  /** The address that the directory gave; from somebody else, so not to be trusted. */
  readonly packageUrl: string;
  readonly settings: Settings;
  /** Aborted when the time for the bundle is over; everything that takes long must give up then. */
  readonly signal: AbortSignal;
  /** How hosts are found and which of them may be asked. */
  readonly network: Network;
}

/**
 * Takes care of one bundle. Rejects with a `BundleError` when the bundle cannot be used; leaves nothing behind then.
 * The place for a handler of one's own is `handlers.ts`.
 */
export type BundleHandler = (call: BundleCall) => Promise<HandledBundle>;

/** A bundle cannot be used. The message is a sentence for administrators: it names no address that a host name stands for. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}
export const isBundleError = errorNamed<BundleError>("BundleError");
