import pLimit from "p-limit";
import { z } from "zod";
import type { DirectoryApplication } from "@/lib/apps/directory/answers/schema";

const bundle = z.object({
  url: z.url(),
  sizeCompressedBytes: z.int().positive(),
  sizeDecompressedBytes: z.int().positive(),
});
export type Bundle = z.output<typeof bundle>;
/** Takes care of an embedded app's package (`directory.md` section 8); the site may have its own. */
export type HandleBundle = (packageUrl: string) => Promise<Bundle>;

const maxAtOnce = 5;

/**
 * Has the packages of embedded apps handled before their versions are stored (rule D12), a few at a time.
 *
 * @returns in the order of the records: what is to be stored, null for an app without a package, or why it failed
 */
export function handleBundles(
  records: readonly DirectoryApplication[],
  handle: HandleBundle,
): Promise<readonly (Bundle | string | null)[]> {
  const limit = pLimit(maxAtOnce);
  return Promise.all(records.map((record) => limit(() => handleOne(record, handle))));
}

async function handleOne(record: DirectoryApplication, handle: HandleBundle): Promise<Bundle | string | null> {
  if (record.transport_type !== "webengine" || record.package_url === null) return null;
  try {
    const result = bundle.safeParse(await handle(record.package_url));
    return result.success ? result.data : "package_url: the bundle handler gave no usable answer";
  } catch (error) {
    return `package_url: ${error instanceof Error ? error.message : "the bundle handler failed"}`;
  }
}
