import type { Metadata } from "next";
import { Link } from "@/app/_components/ui/link";
import { Logo } from "@/app/_components/shell/logo";
import { requirePage } from "@/lib/platform/auth/callers/require-page";

export const metadata: Metadata = { title: "Signed in" };

/** The last page of a tab that signed in on behalf of another tab with unsaved work. */
export default async function SignedInPage() {
  await requirePage("read");
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col items-center justify-center gap-3 p-4 text-center">
      <Logo />
      <h1 className="text-xl leading-7 font-semibold tracking-tight">You are signed in</h1>
      <p className="text-muted">Close this tab and go back to the one you came from.</p>
      <Link href="/">Open the console here instead</Link>
    </main>
  );
}
