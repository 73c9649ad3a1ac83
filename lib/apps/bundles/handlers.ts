import "server-only";
import {
  type BundleHandler,
  type BundleCall,
  type HandledBundle,
  type MeasuredBundle,
  handledBundle,
  type Network,
  BundleError,
} from "@/lib/apps/bundles/handler";
import { keepBundle } from "@/lib/apps/bundles/local";
import { uploadBundle } from "@/lib/apps/bundles/s3";
import type { Settings } from "@/lib/platform/settings";
import { measureArchive } from "@/lib/apps/bundles/archive";
import { downloadBundle } from "@/lib/apps/bundles/download";
import { withTemporaryFile } from "@/lib/apps/bundles/temporary-files";
import { realNetwork } from "@/lib/apps/bundles/network";

/** To use your own storage, replace one of these functions and nothing else: see docs/bundles.md. */
export const bundleHandlers: Readonly<Record<Settings["bundleHandler"], BundleHandler>> = {
  /** Keeps the app directory's URL; downloads the bundle once to measure it, and stores nothing. */
  none: (call) => withMeasuredBundle(call, () => Promise.resolve(call.packageUrl)),

  local: (call) => withMeasuredBundle(call, ({ file }) => keepBundle(file, call.settings)),

  s3: (call) => withMeasuredBundle(call, (bundle) => uploadBundle(bundle, call.settings, call.signal)),
};

/** Always removes the file; `work` returns the new URL. */
async function withMeasuredBundle(
  { packageUrl, settings, signal, network, maxBytes }: BundleCall,
  work: (bundle: MeasuredBundle) => Promise<string>,
): Promise<HandledBundle> {
  try {
    return await withTemporaryFile(settings, async (file) => {
      const options = { network, signal, allowHttp: settings.bundleAllowPrivate, maxBytes };
      const sizeCompressedBytes = await downloadBundle(packageUrl, file, options);
      const sizeDecompressedBytes = await measureArchive(file, signal);
      const sizes = { sizeCompressedBytes, sizeDecompressedBytes };
      return { ...sizes, url: await work({ ...sizes, file }) };
    });
  } catch (cause) {
    if (cause instanceof BundleError) throw cause;
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new BundleError(`The bundle cannot be kept on the disk${code}`, { cause });
  }
}

/** Largest compressed bundle in bytes. */
const largestBundle = 268_435_456;

/** Time for one bundle, from the first request to the stored copy. */
const deadlineMs = 120_000;

export interface BundleOptions {
  readonly signal?: AbortSignal;
  readonly network?: Network;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
  readonly handlers?: typeof bundleHandlers;
}

/** `directory.md` section 8. Throws BundleError with a sentence for administrators. */
export async function handleBundle(
  packageUrl: string,
  settings: Settings,
  options: BundleOptions = {},
): Promise<HandledBundle> {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const { network = realNetwork(settings.bundleAllowPrivate), maxBytes = largestBundle } = options;
  const { handlers = bundleHandlers } = options;
  const handled = await handlers[settings.bundleHandler]({ packageUrl, settings, signal, network, maxBytes });
  const checked = handledBundle.safeParse(handled);
  if (!checked.success) throw new BundleError("The bundle handler answered without an address and both sizes");
  return checked.data;
}
