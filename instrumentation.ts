/** Next calls this once at its start. `server/console.ts` has the services already; another host gets them here. */
export async function register(): Promise<void> {
  // Spelled this way for Next, which leaves the import out of builds for other runtimes.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWithoutEntry } = await import("@/server/start-without-entry");
    await startWithoutEntry();
  }
}

/** Next calls this for every page that fails, before it answers. */
export async function onRequestError(error: unknown): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { noteUnavailable } = await import("@/lib/platform/db/connection/errors");
    noteUnavailable(error);
  }
}
