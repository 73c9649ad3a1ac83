"use client";
import { useRouter } from "next/navigation";
import { PasswordForm } from "@/app/_components/fields/password-form";

/** `target` is a path of this server. */
export function LoginForm({
  target,
  failed,
  isNameVerified,
}: Readonly<{ target: string; failed: number | null; isNameVerified: boolean }>) {
  const router = useRouter();
  return (
    <PasswordForm
      target={target}
      failed={failed}
      isNameVerified={isNameVerified}
      onSignedIn={() => {
        router.replace(target);
        router.refresh();
      }}
    />
  );
}
