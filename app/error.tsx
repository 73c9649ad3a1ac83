"use client";
import dynamic from "next/dynamic";

interface Failure {
  readonly error: unknown;
  readonly retry: () => void;
}

// Loaded only when needed: every page includes this file.
const PageError = dynamic<Failure>(() =>
  import("@/app/_components/feedback/page-error").then(
    (module) => module.PageError,
    () => PlainError,
  ),
);

/** Replaces a page outside of the console that fails, or the console itself. */
export default function ErrorPage(failure: Readonly<Failure>) {
  return (
    <main className="px-6">
      <PageError {...failure} />
    </main>
  );
}

/** If even the code of the other page fails to load. */
function PlainError({ retry }: Readonly<Failure>) {
  return (
    <p role="alert" className="py-10">
      The page could not be loaded.{" "}
      <button type="button" className="underline" onClick={() => retry()}>
        Retry
      </button>
    </p>
  );
}
