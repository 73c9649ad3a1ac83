"use client";
import { useState } from "react";
import { PasswordForm } from "@/app/_components/fields/password-form";
import { useListener } from "@/app/_components/hooks/use-listener";
import { Dialog } from "@/app/_components/overlay/dialog";
import { findSessionEnd } from "@/app/_components/shell/session/session";
import { buttonClass } from "@/app/_components/ui/button-class";

/** `people.md` P1, P2 */
export interface SignInWays {
  readonly hasProvider: boolean;
  readonly hasPassword: boolean;
}

export function SignInForm({
  ways: { hasProvider, hasPassword },
  isNameVerified,
  onSettled,
}: Readonly<{ ways: SignInWays; isNameVerified: boolean; onSettled: (isSignedIn: boolean) => void }>) {
  const passwordForm = <PasswordForm isNameVerified={isNameVerified} onSignedIn={() => onSettled(true)} />;
  return (
    <Dialog
      open
      onOpenChange={() => onSettled(false)}
      size="sm"
      title="Sign in again"
      description="Your session has ended or is about to end. Your edits stay as they are."
    >
      {hasProvider && <ElsewhereSignIn onSignedIn={() => onSettled(true)} />}
      {hasProvider && hasPassword && (
        <details className="mt-4 text-table">
          <summary className="cursor-pointer text-muted">Sign in with the emergency password</summary>
          <div className="mt-3">{passwordForm}</div>
        </details>
      )}
      {!hasProvider && passwordForm}
    </Dialog>
  );
}

/** The provider needs a page of its own; this one continues once the reader returns with a new session. */
function ElsewhereSignIn({ onSignedIn }: Readonly<{ onSignedIn: () => void }>) {
  // The previous session may last a little longer: only one that ends later is new.
  const [before] = useState(findSessionEnd);
  useListener("focus", () => {
    void Promise.all([before, findSessionEnd()]).then(([old, now]) => {
      if (now !== null && (old === null || now > old)) onSignedIn();
    });
  });
  return (
    <div className="space-y-2">
      <a
        href={`/api/auth/signin/oidc?${new URLSearchParams({ redirect: "/signed-in" }).toString()}`}
        target="_blank"
        rel="noopener"
        className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}
      >
        Sign in with your account
      </a>
      <p className="text-xs text-muted">This opens another tab. Come back here afterwards.</p>
    </div>
  );
}
