"use client";
import { Dialog } from "@/app/_components/overlay/dialog";
import { PasswordForm } from "@/app/_components/fields/password-form";

/** The dialog itself; loaded when it is needed. */
export function SignInForm({
  isNameVerified,
  onSettled,
}: Readonly<{ isNameVerified: boolean; onSettled: (isSignedIn: boolean) => void }>) {
  return (
    <Dialog
      open
      onOpenChange={() => {
        onSettled(false);
      }}
      size="sm"
      title="Sign in again"
      description="Your session is over or about to end. What you are editing stays as it is."
    >
      <PasswordForm
        isNameVerified={isNameVerified}
        onSignedIn={() => {
          onSettled(true);
        }}
      />
    </Dialog>
  );
}
