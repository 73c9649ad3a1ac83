import type { StoreQuery } from "@/lib/apps/store/schema";
import type { HybridPreference } from "@/lib/vocabulary/terms";

export interface StoreApp {
  readonly uuid: string;
  readonly name: string;
  readonly displayNames: readonly string[];
  readonly description: string | null;
  readonly transportType: string | null;
  readonly cloudTransportType: string | null;
  readonly hybridAppPreference: HybridPreference;
  readonly iconUrl: string | null;
  readonly packageUrl: string | null;
  readonly sizeCompressedBytes: number | null;
  readonly sizeDecompressedBytes: number | null;
  readonly minRpcVersion: string | null;
  readonly minProtocolVersion: string | null;
}

/** Compares versions number by number; missing parts and null count as 0 (`api.md` 7.1). Negative if `a` is lower. */
export function compareVersions(a: string | null, b: string | null): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < 3; index += 1) {
    const order = (left[index] ?? 0) - (right[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** The app directory may deliver parts that are not numbers; they count as 0 too. */
function partsOf(version: string | null): number[] {
  return (version ?? "").split(".").map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : 0));
}

export function isOffered(app: StoreApp, query: StoreQuery): boolean {
  return (
    (query.uuid === undefined || app.uuid === query.uuid) &&
    (query.transport_type === undefined || app.transportType === query.transport_type) &&
    (query.min_rpc_version === undefined || compareVersions(app.minRpcVersion, query.min_rpc_version) <= 0) &&
    (query.min_protocol_version === undefined ||
      compareVersions(app.minProtocolVersion, query.min_protocol_version) <= 0)
  );
}
