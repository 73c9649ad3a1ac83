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
 * Has the reader sign in over the page, so that what is being edited stays. Several callers share one answer.
 *
 * @param ways how people sign in here; by the password alone when nothing is said
 * @param isNameVerified whether the proxy in front names the reader, who then gives no name
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
    // The end of the new session comes with the page.
    if (isSignedIn) router.refresh();
  }
  return isOpen ? <SignInForm ways={ways} isNameVerified={isNameVerified} onSettled={settle} /> : null;
}
