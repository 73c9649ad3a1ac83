"use client";
import { Eye, EyeOff } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { Button } from "@/app/_components/button";
import { cn } from "@/app/_components/cn";
import { inputClass } from "@/app/_components/input-class";
import { ApiError, postPassword } from "@/lib/http/client";

const secondMs = 1000;
/** How long too many attempts are refused when the server does not say. */
const usualPauseSeconds = 60;

/** Asks for the password and starts a session; what comes then is the caller's. */
export function PasswordForm({ onSignedIn }: Readonly<{ onSignedIn: () => void }>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isShown, setIsShown] = useState(false);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const [pause, setPause] = useState(0);

  useEffect(() => {
    if (pause === 0) return;
    const timer = setTimeout(() => {
      setPause(pause - 1);
    }, secondMs);
    return () => {
      clearTimeout(timer);
    };
  }, [pause]);

  async function signIn(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy || pause > 0) return;
    setIsBusy(true);
    setProblem(null);
    try {
      // Read from the field itself: a password manager may have filled it in before this page came to life.
      await postPassword(field.current?.value ?? "");
      onSignedIn();
    } catch (error) {
      setProblem(describe(error));
      if (error instanceof ApiError && error.status === 429) setPause(error.retryAfter ?? usualPauseSeconds);
      setIsBusy(false);
      field.current?.focus();
      field.current?.select();
    }
  }
  const noticeCapsLock = (event: KeyboardEvent) => {
    setHasCapsLock(event.getModifierState("CapsLock"));
  };
  const Icon = isShown ? EyeOff : Eye;
  return (
    // Without scripts a form would send the password as part of an address; POST keeps it out of there.
    <form method="post" className="space-y-4" onSubmit={(event) => void signIn(event)}>
      {/* Password managers file a password under a name. */}
      <input type="text" name="username" autoComplete="username" value="administrator" readOnly hidden />
      <div className="space-y-1.5">
        <label htmlFor={id} className="block text-table font-medium">
          Password
        </label>
        <div className="relative">
          <input
            ref={field}
            id={id}
            name="password"
            type={isShown ? "text" : "password"}
            autoComplete="current-password"
            autoCapitalize="off"
            spellCheck={false}
            autoFocus
            required
            aria-invalid={problem !== null}
            aria-describedby={`${id}-problem ${id}-caps`}
            className={cn(inputClass, "h-10 pr-11")}
            onKeyDown={noticeCapsLock}
            onKeyUp={noticeCapsLock}
          />
          <button
            type="button"
            aria-label="Show the password"
            aria-pressed={isShown}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-text"
            onClick={() => {
              setIsShown(!isShown);
            }}
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        </div>
        <p id={`${id}-caps`} className="text-xs text-warn empty:hidden">
          {hasCapsLock && "Caps Lock is on."}
        </p>
        <p id={`${id}-problem`} role="alert" className="text-table font-medium text-bad empty:hidden">
          {problem}
        </p>
        {pause > 0 && <p className="text-table text-muted tabular-nums">You can try again in {pause} s.</p>}
      </div>
      <Button type="submit" variant="primary" size="lg" busy={isBusy} disabled={pause > 0} className="w-full">
        Sign in
      </Button>
    </form>
  );
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return "Signing in failed. Try again.";
  if (error.status === 401) return "The password is wrong.";
  if (error.status === 429) return "Too many wrong passwords from your address.";
  if (error.status === 0) return "The server cannot be reached. Check the connection, then try again.";
  if (error.status === 503) return "The server is still starting. Try again in a few seconds.";
  return `Signing in failed: ${error.message}`;
}
