import { processGlobal } from "@/lib/platform/process-globals";
import type { Settings } from "@/lib/platform/settings";
import { defaultRpcSpecUrl } from "@/lib/platform/settings/table/server";

/** Where the app directory is, and as whom to call it. */
export interface DirectoryEndpoint {
  /** Without a slash at the end; may have a path. */
  readonly baseUrl: string;
  /** Sent with every call, and expected from webhooks. */
  readonly publicKey: string;
  readonly secretKey: string;
  /** Address of the RPC specification (`RPC_SPEC_URL`, or the example directory's copy). */
  readonly rpcSpecUrl: string;
}

const example = processGlobal<{ endpoint: DirectoryEndpoint | null }>("example-directory", () => ({ endpoint: null }));

/** Makes the running example directory known to every bundle of this process; null when it has been stopped. */
export function setExampleEndpoint(endpoint: DirectoryEndpoint | null): void {
  example.endpoint = endpoint;
}

/**
 * The directory of these settings: the configured one, or the example directory of this process. Null: directory tasks
 * are off, or the example directory does not run yet.
 */
export function directoryEndpoint(settings: Settings): DirectoryEndpoint | null {
  const { shaidPublicKey, shaidSecretKey, shaidUrl, rpcSpecUrl } = settings;
  if (settings.directory === "example") {
    // A newcomer needs no connection to the world; who names an address wants that one.
    const isNamed = rpcSpecUrl !== defaultRpcSpecUrl;
    return example.endpoint && { ...example.endpoint, ...(isNamed && { rpcSpecUrl }) };
  }
  if (settings.directory === "off" || shaidPublicKey === null || shaidSecretKey === null) return null;
  return { baseUrl: shaidUrl.replace(/\/+$/, ""), publicKey: shaidPublicKey, secretKey: shaidSecretKey, rpcSpecUrl };
}

/** Where the RPC specification is: it is no part of the directory, so it can be read while directory tasks are off. */
export function rpcSpecificationUrl(settings: Settings): string {
  return directoryEndpoint(settings)?.rpcSpecUrl ?? settings.rpcSpecUrl;
}
