/** The short id of an app without one in the app directory: the uuid without `-` and `_`, first ten characters (rule D4). */
export function deriveShortUuid(uuid: string): string {
  return uuid.replaceAll(/[-_]/g, "").slice(0, 10);
}
