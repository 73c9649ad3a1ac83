/**
 * Next calls this once when it starts. Under `server.ts` the services exist already; on another host (`next start`)
 * they are made here, with a MongoDB: the embedded database belongs to `server.ts`.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { findServices, installServices } = await import("@/lib/server/services");
  if (findServices()) return;
  const { loadSettings } = await import("@/lib/settings");
  const settings = loadSettings();
  if (settings.mongodbUri === null) throw new Error("MONGODB_URI must be set where Next runs without server.ts");
  const { createDatabaseSource } = await import("@/lib/policy/database-source");
  const { loadCryptoHooks } = await import("@/lib/policy/crypto-hooks");
  const database = { uri: settings.mongodbUri, kind: "mongodb", close: () => Promise.resolve() } as const;
  const source = createDatabaseSource(settings, database);
  const hooks = await loadCryptoHooks(settings.policyCryptoModule, process.cwd());
  installServices({ settings, source, hooks }).runtime.start();
}
