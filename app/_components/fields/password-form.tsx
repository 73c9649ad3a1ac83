import { Eye, EyeOff } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { Button } from "@/app/_components/ui/button";
import { cn } from "@/app/_components/ui/cn";
import { inputClass } from "@/app/_components/fields/input-class";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import { longestDisplayName } from "@/lib/platform/http/headers/display-name-header";
import { ApiError, postPassword } from "@/lib/platform/http/client";

const secondMs = 1000;
/** If the server names no pause. */
const usualPauseSeconds = 60;

export function PasswordForm({
  target,
  failed = null,
  isNameVerified = false,
  onSignedIn,
}: Readonly<{
  /** The path to open next; with one, the form also works without scripts. */
  target?: string;
  failed?: number | null;
  /** The proxy names the reader, who then needs no display name. */
  isNameVerified?: boolean;
  onSignedIn: () => void;
}>) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useStoredText("displayName");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(failed === null ? null : describe(failed));
  const [isShown, setIsShown] = useState(false);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const [pause, setPause] = useState(0);

  useEffect(() => {
    if (pause === 0) return;
    const timer = setTimeout(() => setPause(pause - 1), secondMs);
    return () => clearTimeout(timer);
  }, [pause]);

  async function signIn(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy || pause > 0) return;
    setIsBusy(true);
    setProblem(null);
    try {
      // Reads the field itself: a password manager may have filled it in before hydration.
      await postPassword(field.current?.value ?? "");
      if (nameField.current) setName(nameField.current.value.trim() || null);
      onSignedIn();
    } catch (error) {
      setProblem(error instanceof ApiError ? describe(error.status, error.message) : describe(500));
      if (error instanceof ApiError && error.status === 429) setPause(error.retryAfter ?? usualPauseSeconds);
      setIsBusy(false);
      field.current?.focus();
      field.current?.select();
    }
  }
  const noticeCapsLock = (event: KeyboardEvent) => setHasCapsLock(event.getModifierState("CapsLock"));
  const Icon = isShown ? EyeOff : Eye;
  return (
    // Submits natively until the scripts have run. Without POST, the password would be in the address.
    <form
      method="post"
      action={target === undefined ? undefined : "/api/auth/password"}
      className="space-y-4"
      onSubmit={(event) => void signIn(event)}
    >
      {target !== undefined && <input type="hidden" name="redirect" value={target} />}
      {/* Password managers need a username to store a password. */}
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
            aria-label="Show password"
            aria-pressed={isShown}
            className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-text"
            onClick={() => setIsShown(!isShown)}
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
      {!isNameVerified && (
        <div className="space-y-1.5">
          <label htmlFor={`${id}-name`} className="block text-table font-medium">
            Display name <span className="font-normal text-muted">(optional)</span>
          </label>
          {/* No `name`: the display name stays in this browser and is not part of the sign-in. */}
          <input
            ref={nameField}
            id={`${id}-name`}
            type="text"
            autoComplete="name"
            maxLength={longestDisplayName}
            defaultValue={name ?? ""}
            aria-describedby={`${id}-name-hint`}
            className={cn(inputClass, "h-10")}
          />
          <p id={`${id}-name-hint`} className="text-xs text-muted">
            Recorded with your changes.
          </p>
        </div>
      )}
      <Button type="submit" variant="primary" size="lg" busy={isBusy} disabled={pause > 0} className="w-full">
        Sign in
      </Button>
    </form>
  );
}

function describe(status: number, reason?: string): string {
  if (status === 401) return "The password is wrong.";
  if (status === 429) return "Too many wrong passwords from your address.";
  if (status === 0) return "The server cannot be reached. Check the connection, then try again.";
  if (status === 503) return "The server is still starting. Try again in a few seconds.";
  return reason === undefined ? "Signing in failed. Try again." : `Signing in failed: ${reason}`;
}
