import type { StoreAppJson } from "@/lib/content/store/answer-schema";
import type { StoreApp } from "@/lib/content/store/rules";

/** An app as the store shows it (`api.md` 7.1): the route is public, so nothing else of the record may appear here. */
export function buildStoreAppJson(app: StoreApp): StoreAppJson {
  return {
    name: app.name,
    nicknames: [...app.displayNames],
    description: app.description,
    policyAppID: app.uuid,
    enabled: true,
    transportType: app.cloudTransportType,
    hybridAppPreference: app.hybridAppPreference,
    icon_url: app.iconUrl !== null && isIconAddress(app.iconUrl) ? app.iconUrl : null,
    package: {
      url: app.packageUrl,
      size_compressed_bytes: app.sizeCompressedBytes,
      size_decompressed_bytes: app.sizeDecompressedBytes,
    },
  };
}

/** Addresses come from whoever registered the app, and what shows the store may put them where scripts run. */
function isIconAddress(text: string): boolean {
  return /^(?:https?:\/\/|data:image\/)/i.test(text);
}
