import type { BundleHandler } from "@/lib/apps/bundles/handler";
import { keepBundle } from "@/lib/apps/bundles/local";
import { withMeasuredBundle } from "@/lib/apps/bundles/measured-bundle";
import { uploadBundle } from "@/lib/apps/bundles/s3";
import type { Settings } from "@/lib/platform/settings";

/**
 * What `BUNDLE_HANDLER` can name. A site with a store of its own replaces one of these functions and changes nothing
 * else: see docs/bundles.md.
 */
export const bundleHandlers: Readonly<Record<Settings["bundleHandler"], BundleHandler>> = {
  /** Keeps the directory's address; downloads once to measure, and stores nothing. */
  none: (call) => withMeasuredBundle(call, () => Promise.resolve(call.packageUrl)),

  /** Keeps the file in `BUNDLE_DIR`, served by this server. */
  local: (call) => withMeasuredBundle(call, ({ file }) => keepBundle(file, call.settings)),

  /** Keeps the file in a bucket. */
  s3: (call) => withMeasuredBundle(call, (bundle) => uploadBundle(bundle, call.settings, call.signal)),
};
