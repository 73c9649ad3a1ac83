"use client";
import dynamic from "next/dynamic";

interface Failure {
  readonly error: unknown;
  readonly retry: () => void;
}

// Fetched only where it is needed: this page comes along with every other.
const PageError = dynamic<Failure>(() =>
  import("@/app/_components/feedback/page-error").then(
    (module) => module.PageError,
    () => PlainError,
  ),
);

/** Shown when a page outside of the console fails, or the console itself. */
export default function ErrorPage(failure: Readonly<Failure>) {
  return (
    <main className="px-6">
      <PageError {...failure} />
    </main>
  );
}

/** Where not even the code of the other can be fetched. */
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
