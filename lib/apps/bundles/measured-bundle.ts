import { measureArchive } from "@/lib/apps/bundles/archive";
import { downloadBundle } from "@/lib/apps/bundles/download";
import { BundleError, type BundleCall, type HandledBundle, isBundleError } from "@/lib/apps/bundles/handler";
import { withTemporaryFile } from "@/lib/apps/bundles/temporary-files";

/** A bundle on our disk, for as long as `work` runs. */
export interface MeasuredBundle extends Omit<HandledBundle, "url"> {
  /** Absolute path; may be moved away. */
  readonly file: string;
}

/**
 * Downloads and measures a bundle and hands it to `work`, which gives the address it has from then on. The file is
 * removed in every case.
 *
 * @throws BundleError, and whatever `work` throws
 */
export async function withMeasuredBundle(
  { packageUrl, settings, signal, network }: BundleCall,
  work: (bundle: MeasuredBundle) => Promise<string>,
): Promise<HandledBundle> {
  const { bundleAllowHttp: allowHttp, bundleMaxBytes: maxBytes } = settings;
  try {
    return await withTemporaryFile(settings, async (file) => {
      const options = { network, signal, allowHttp, maxBytes };
      const sizeCompressedBytes = await downloadBundle(packageUrl, file, options);
      const sizeDecompressedBytes = await measureArchive(file, signal);
      const sizes = { sizeCompressedBytes, sizeDecompressedBytes };
      return { ...sizes, url: await work({ ...sizes, file }) };
    });
  } catch (cause) {
    if (isBundleError(cause)) throw cause;
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new BundleError(`The bundle cannot be kept on the disk${code}`, { cause });
  }
}
