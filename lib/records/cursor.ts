/** Writes a cursor: what tells where a page of a list ends, as a text for addresses; only this server reads it. */
export function encodeCursor(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** What a cursor holds, unchecked: a client may send anything. Null when it is none. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
