import { join } from "node:path";
import { log } from "@/lib/log";

/** Where the data live. */
export interface OpenedDatabase {
  /** Connection string for `connect`. */
  readonly uri: string;
  /** `embedded`: the server inside this process, for trying out and for tests, not for production. */
  readonly kind: "mongodb" | "embedded";
  /** Writes out and stops the embedded database; does nothing for a MongoDB of its own. Disconnect first. */
  close(): Promise<void>;
}

/**
 * Gives the connection string of the database: the one of the settings, or that of the embedded database, which is
 * started in `<dataDir>/database` when there is none.
 *
 * @param settings.mongodbUri `MONGODB_URI`, undefined when not set
 * @param settings.dataDir `DATA_DIR`
 * @param onEnd called when the embedded database has ended by itself and cannot be started again
 * @throws when another process uses the folder, or its content is damaged
 */
export async function openDatabase(
  settings: { readonly mongodbUri?: string | undefined; readonly dataDir: string },
  onEnd?: (error: Error) => void,
): Promise<OpenedDatabase> {
  if (settings.mongodbUri !== undefined) {
    return { uri: settings.mongodbUri, kind: "mongodb", close: () => Promise.resolve() };
  }
  // Loaded only when needed: a production server has no use for the code.
  const { startEmbeddedDatabase } = await import("@/embedded/start");
  const server = await startEmbeddedDatabase({
    dataDir: join(settings.dataDir, "database"),
    report: (event) => log.warn({ event }, "embedded database"),
    ...(onEnd && { onEnd }),
  });
  return { uri: server.uri, kind: "embedded", close: () => server.close() };
}
