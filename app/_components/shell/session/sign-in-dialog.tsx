"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { endSession, registerSignIn } from "@/app/_components/shell/session/session";
import type { SignInWays } from "@/app/_components/shell/session/sign-in-form";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { noteVerifiedName, whenSessionIsOver } from "@/lib/platform/http/client";

const SignInForm = dialogOnDemand(() =>
  import("@/app/_components/shell/session/sign-in-form").then((m) => m.SignInForm),
);

const byPassword: SignInWays = { hasProvider: false, hasPassword: true };

/**
 * Asks the reader to sign in over the page, so that unsaved changes stay. Concurrent callers share one dialog.
 *
 * @param ways how people sign in here; default: password only
 * @param isNameVerified whether the proxy names the reader, who then enters no name
 */
export function SignInDialog({
  ways = byPassword,
  isNameVerified = false,
}: Readonly<{ ways?: SignInWays; isNameVerified?: boolean }>) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);
  useEffect(
    () =>
      registerSignIn(
        () =>
          new Promise((resolve) => {
            waiting.current.push(resolve);
            setIsOpen(true);
          }),
      ),
    [],
  );
  useEffect(() => noteVerifiedName(isNameVerified), [isNameVerified]);
  useEffect(() => whenSessionIsOver((isRead) => endSession({ mustStay: !isRead })), []);
  function settle(isSignedIn: boolean) {
    setIsOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn);
    // The page contains the end of the new session.
    if (isSignedIn) router.refresh();
  }
  return isOpen ? <SignInForm ways={ways} isNameVerified={isNameVerified} onSettled={settle} /> : null;
}
