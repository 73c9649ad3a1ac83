"use client";
import { useRouter } from "next/navigation";
import { useId, useRef, useState, type SubmitEvent } from "react";
import { ApiError, post } from "@/lib/http/client";

/** Signs in with the password and goes on to `next`, a path of this server. */
export function LoginForm({ next }: Readonly<{ next: string }>) {
  const router = useRouter();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function signIn(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setIsBusy(true);
    setProblem(null);
    try {
      // Read from the field itself: a password manager may have filled it in before this page came to life.
      await post("/api/v1/login", { arg: { password: field.current?.value ?? "" } });
      router.replace(next);
      router.refresh();
    } catch (error) {
      setProblem(describe(error));
      setIsBusy(false);
      field.current?.select();
    }
  }

  return (
    // Without scripts a form would send the password as part of an address; POST keeps it out of there.
    <form
      method="post"
      className="space-y-4 rounded-lg border border-line bg-surface p-6"
      onSubmit={(event) => void signIn(event)}
    >
      {/* Password managers file a password under a name. */}
      <input type="text" name="username" autoComplete="username" value="administrator" readOnly hidden />
      <div className="space-y-2">
        <label htmlFor={id} className="block">
          Password
        </label>
        <input
          ref={field}
          id={id}
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          className="min-h-11 w-full rounded-lg border border-line bg-page px-3 py-2"
        />
      </div>
      <p id={`${id}-problem`} role="alert" className="text-bad-text empty:hidden">
        {problem}
      </p>
      <button
        type="submit"
        disabled={isBusy}
        className="min-h-11 w-full rounded-lg bg-accent px-4 py-2 font-semibold text-page disabled:opacity-60"
      >
        {isBusy ? "Signing in…" : "Sign in"}
      </button>
    </form>
  );
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return "Signing in failed. Try again.";
  if (error.status === 401) return "The password is wrong.";
  if (error.status === 429) return "Too many wrong passwords from your address. Wait a minute, then try again.";
  if (error.status === 0) return "The server cannot be reached. Check the connection, then try again.";
  if (error.status === 503) return "The server is still starting. Try again in a few seconds.";
  return `Signing in failed: ${error.message}`;
}
