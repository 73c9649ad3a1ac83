/** Next calls this once when it starts. Under `server/console.ts` the services exist already; another host gets them here. */
export async function register(): Promise<void> {
  // The condition is spelled this way for Next, which leaves the import out of builds for other runtimes.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startWithoutEntry } = await import("@/lib/server/start-without-entry");
    await startWithoutEntry();
  }
}
