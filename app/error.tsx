"use client";

/** Shown when a page fails. The text of the error stays in the log of the server; its digest finds the line. */
export default function ErrorPage({ error, retry }: Readonly<{ error: unknown; retry: () => void }>) {
  return (
    <main className="mx-auto max-w-3xl space-y-4 p-6" role="alert">
      <h1 className="text-2xl font-semibold">Something went wrong</h1>
      <p>The page could not be shown. The server is running; it may be waiting for its database.</p>
      {hasDigest(error) && (
        <p className="text-muted">
          Reference: <code className="font-mono">{error.digest}</code>
        </p>
      )}
      <button
        type="button"
        className="min-h-11 rounded-lg border border-line bg-surface px-4 py-2"
        onClick={() => {
          retry();
        }}
      >
        Try again
      </button>
    </main>
  );
}

function hasDigest(error: unknown): error is { digest: string } {
  return typeof error === "object" && error !== null && "digest" in error && typeof error.digest === "string";
}
