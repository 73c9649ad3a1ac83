import { displayNameHeader } from "@/lib/platform/http/headers/display-name-header";
import { readDisplayName } from "@/lib/platform/http/read/read-display-name";
import { readVerifiedName } from "@/lib/platform/http/read/read-verified-name";

/** The name of who calls, for the audit trail; it opens nothing. */
export interface WriterName {
  readonly displayName: string | null;
  /** Whether the proxy in front gave it. */
  readonly isNameVerified: boolean;
}

/** What the proxy says about the caller counts more than what they say themselves. */
export function readWriterName(headers: Headers): WriterName {
  const verified = readVerifiedName(headers);
  if (verified !== null) return { displayName: verified, isNameVerified: true };
  return { displayName: readDisplayName(headers.get(displayNameHeader)), isNameVerified: false };
}
