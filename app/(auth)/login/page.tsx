import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isAdmin } from "@/lib/auth/admin";
import { buildSafePath } from "@/lib/auth/safe-path";
import { LoginForm } from "./login-form";

export const metadata: Metadata = { title: "Sign in" };

/** Asks for the password, unless there is nothing to ask for. `callbackUrl` is next-auth's name for `next`. */
export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const { next, callbackUrl } = await searchParams;
  const target = buildSafePath(next ?? callbackUrl);
  if (await isAdmin(await headers())) redirect(target);
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 p-6">
      <header>
        <h1 className="text-2xl font-semibold">Sign in</h1>
        <p className="text-muted">Open Policy Server</p>
      </header>
      <LoginForm next={target} />
    </main>
  );
}
