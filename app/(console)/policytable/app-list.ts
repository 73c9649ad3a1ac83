/** No zod here, for the browser. */

export const maxAppsInAddress = 40;

export function readAppList(apps: string | undefined): string[] {
  const uuids = (apps ?? "").split(",").map((uuid) => uuid.trim());
  return [...new Set(uuids.filter((uuid) => uuid !== ""))].slice(0, maxAppsInAddress);
}
