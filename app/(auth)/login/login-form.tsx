"use client";
import { useRouter } from "next/navigation";
import { PasswordForm } from "@/app/_components/password-form";

/** Signs in with the password and goes on to `target`, a path of this server. */
export function LoginForm({ target }: Readonly<{ target: string }>) {
  const router = useRouter();
  return (
    <PasswordForm
      onSignedIn={() => {
        router.replace(target);
        router.refresh();
      }}
    />
  );
}
