"use client";
import { PageError } from "@/app/_components/feedback/page-error";

export default function ConsoleError({ error, retry }: Readonly<{ error: unknown; retry: () => void }>) {
  return <PageError error={error} retry={retry} />;
}
