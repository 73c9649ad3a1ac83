/** The apps in an address. Without zod, for the browser. */

export const maxAppsInAddress = 40;

/** The uuids that `?apps=` names, each once. */
export function readAppList(apps: string | undefined): string[] {
  const uuids = (apps ?? "").split(",").map((uuid) => uuid.trim());
  return [...new Set(uuids.filter((uuid) => uuid !== ""))].slice(0, maxAppsInAddress);
}
