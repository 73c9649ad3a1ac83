import type { Metadata } from "next";
import Link from "next/link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto max-w-3xl space-y-4 p-6">
      <h1 className="text-2xl font-semibold">Page not found</h1>
      <p>There is nothing at this address.</p>
      <p>
        <Link href="/">Go to the start page</Link>
      </p>
    </main>
  );
}
