"use client";
import { PageError } from "@/app/_components/feedback/page-error";

/** Shown when a page outside of the console fails, or the console itself. */
export default function ErrorPage({ error, retry }: Readonly<{ error: unknown; retry: () => void }>) {
  return (
    <main className="px-6">
      <PageError error={error} retry={retry} />
    </main>
  );
}
