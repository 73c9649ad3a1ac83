"use client";
import { useRouter } from "next/navigation";
import useSWRMutation from "swr/mutation";
import { post } from "@/lib/http/client";

/** Ends the session of this browser. */
export function SignOutButton() {
  const router = useRouter();
  const { trigger, isMutating, error } = useSWRMutation<unknown, Error, string, unknown>("/api/v1/logout", post, {
    throwOnError: false,
    onSuccess: () => {
      router.replace("/login");
      router.refresh();
    },
  });
  return (
    <div>
      <button
        type="button"
        className="min-h-11 rounded-lg border border-line bg-surface px-4 py-2 disabled:opacity-60"
        disabled={isMutating}
        onClick={() => void trigger()}
      >
        {isMutating ? "Signing out…" : "Sign out"}
      </button>
      {error && (
        <p role="alert" className="text-bad-text">
          {error.message}
        </p>
      )}
    </div>
  );
}
