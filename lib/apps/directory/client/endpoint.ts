"one per process";

import type { Settings } from "@/lib/platform/settings";
import { defaultRpcSpecUrl } from "@/lib/platform/settings/variables";
import { withoutEndSlashes } from "@/lib/platform/http/api-path";

export interface DirectoryEndpoint {
  /** Without a trailing slash; may contain a path. */
  readonly baseUrl: string;
  /** Sent with every call, and expected from webhooks. */
  readonly publicKey: string;
  readonly secretKey: string;
  /** URL of the example directory's copy of the RPC specification. */
  readonly rpcSpecUrl?: string;
}

let example: DirectoryEndpoint | null = null;

export function setExampleEndpoint(endpoint: DirectoryEndpoint | null): void {
  example = endpoint;
}

/** Null if directory tasks are off or the example directory is not running yet. */
export function directoryEndpoint(settings: Settings): DirectoryEndpoint | null {
  const { shaidPublicKey, shaidSecretKey, shaidUrl } = settings;
  if (settings.directory === "example") return example;
  if (settings.directory === "off" || shaidPublicKey === null || shaidSecretKey === null) return null;
  return { baseUrl: withoutEndSlashes(shaidUrl), publicKey: shaidPublicKey, secretKey: shaidSecretKey };
}

/** URL or absolute path; null: not read. Not part of the app directory, so it works with directory tasks off. */
export function rpcSpecificationSource(settings: Settings): string | null {
  const { rpcSpecSource: source } = settings;
  // With the example directory no internet connection is needed; a configured source takes precedence.
  return (source === defaultRpcSpecUrl ? directoryEndpoint(settings)?.rpcSpecUrl : null) ?? source;
}
