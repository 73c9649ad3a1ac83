"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { endSession } from "@/app/_components/shell/session/end-session";
import { registerSignIn } from "@/app/_components/shell/session/sign-in-store";
import { noteVerifiedName, whenSessionIsOver } from "@/lib/http/client";

const SignInForm = dynamic(() => import("@/app/_components/shell/session/sign-in-form").then((m) => m.SignInForm), {
  ssr: false,
});

/**
 * Asks for the password over the page, so that what is being edited stays. Several callers share one answer.
 *
 * @param isNameVerified whether the proxy in front names the reader, who then gives no name
 */
export function SignInDialog({ isNameVerified = false }: Readonly<{ isNameVerified?: boolean }>) {
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
  useEffect(() => {
    noteVerifiedName(isNameVerified);
  }, [isNameVerified]);
  useEffect(() => whenSessionIsOver((isRead) => endSession({ mustStay: !isRead })), []);
  function settle(isSignedIn: boolean) {
    setIsOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn);
    // The end of the new session comes with the page.
    if (isSignedIn) router.refresh();
  }
  return isOpen ? <SignInForm isNameVerified={isNameVerified} onSettled={settle} /> : null;
}
