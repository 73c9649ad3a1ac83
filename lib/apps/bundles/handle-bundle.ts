import "server-only";
import { BundleError, handledBundle, type HandledBundle, type Network } from "@/lib/apps/bundles/handler";
import { bundleHandlers } from "@/lib/apps/bundles/handlers";
import { realNetwork } from "@/lib/apps/bundles/network";
import type { Settings } from "@/lib/platform/settings";

/** Time for one bundle, from the first question to the stored copy. */
const deadlineMs = 120_000;

/** What tests replace, and how a caller gives up early. */
export interface BundleOptions {
  readonly signal?: AbortSignal;
  readonly network?: Network;
  readonly deadlineMs?: number;
  readonly handlers?: typeof bundleHandlers;
}

/**
 * Handles the bundle of an embedded app as `BUNDLE_HANDLER` says (`directory.md` section 8).
 *
 * @param packageUrl address that the directory gave
 * @throws BundleError with a sentence for administrators
 */
export async function handleBundle(
  packageUrl: string,
  settings: Settings,
  options: BundleOptions = {},
): Promise<HandledBundle> {
  const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const { network = realNetwork(settings.bundleAllowPrivate), handlers = bundleHandlers } = options;
  const handled = await handlers[settings.bundleHandler]({ packageUrl, settings, signal, network });
  const checked = handledBundle.safeParse(handled);
  if (!checked.success) throw new BundleError("The bundle handler answered without an address and both sizes");
  return checked.data;
}
