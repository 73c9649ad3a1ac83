/** For apps without a short id in the app directory (rule D4). */
export function deriveShortUuid(uuid: string): string {
  return uuid.replaceAll(/[-_]/g, "").slice(0, 10);
}
