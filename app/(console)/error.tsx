"use client";
import { PageError } from "@/app/_components/feedback/page-error";

/** Replaces a page that fails; the console around it stays usable. */
export default function ConsoleError({ error, retry }: Readonly<{ error: unknown; retry: () => void }>) {
  return <PageError error={error} retry={retry} />;
}
