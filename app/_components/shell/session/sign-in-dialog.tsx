"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useReaderId } from "@/app/_components/shell/role";
import { endSession, findReaderId, registerSignIn } from "@/app/_components/shell/session/session";
import type { SignInWays } from "@/app/_components/shell/session/sign-in-form";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { ApiError, noteVerifiedName, whenSessionIsOver } from "@/lib/platform/http/client";

const SignInForm = dialogOnDemand(() =>
  import("@/app/_components/shell/session/sign-in-form").then((m) => m.SignInForm),
);

const byPassword: SignInWays = { hasProvider: false, hasPassword: true };

interface Waiting {
  readonly resolve: (isSignedIn: boolean) => void;
  readonly reject: (problem: unknown) => void;
}

/**
 * Concurrent callers share one dialog. What one person was about to send, another one does not send.
 * `ways`: default password only. `isNameVerified`: the proxy names the reader, who then enters no name.
 */
export function SignInDialog({
  ways = byPassword,
  isNameVerified = false,
}: Readonly<{ ways?: SignInWays; isNameVerified?: boolean }>) {
  const router = useRouter();
  const readerId = useReaderId();
  const [isOpen, setIsOpen] = useState(false);
  const waiting = useRef<Waiting[]>([]);
  useEffect(
    () =>
      registerSignIn(
        () =>
          new Promise((resolve, reject) => {
            waiting.current.push({ resolve, reject });
            setIsOpen(true);
          }),
      ),
    [],
  );
  useEffect(() => noteVerifiedName(isNameVerified), [isNameVerified]);
  useEffect(() => whenSessionIsOver((isRead) => endSession({ mustStay: !isRead })), []);
  async function settle(isSignedIn: boolean) {
    const problem = isSignedIn ? await findObstacle(readerId) : null;
    setIsOpen(false);
    for (const { resolve, reject } of waiting.current.splice(0)) {
      if (problem === null) resolve(isSignedIn);
      else reject(problem);
    }
    // The page contains the end of the new session.
    if (isSignedIn) router.refresh();
  }
  return isOpen ? (
    <SignInForm ways={ways} isNameVerified={isNameVerified} onSettled={(isSignedIn) => void settle(isSignedIn)} />
  ) : null;
}

/** Null: the reader has signed in. */
function findObstacle(readerId: string | null): Promise<unknown> {
  const sentence =
    "Nothing was saved: somebody else has signed in. The unsaved changes stay in this tab for the person who made them.";
  return findReaderId().then(
    (id) => (id === readerId ? null : new ApiError(sentence, 403, null, null)),
    (problem: unknown) => problem,
  );
}
