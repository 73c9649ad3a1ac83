"use client";
import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { askToLeave } from "@/app/_components/leave-guard-store";

/**
 * Goes to another address of the console, asking first when there are unsaved changes. `replace` for what is typed,
 * nothing for what is chosen.
 */
export function useNavigate(): (href: string, options?: { readonly replace?: boolean }) => void {
  const router = useRouter();
  return useCallback(
    (href, { replace = false } = {}) => {
      void askToLeave().then((mayLeave) => {
        if (!mayLeave) return;
        if (replace) router.replace(href, { scroll: false });
        else router.push(href);
      });
    },
    [router],
  );
}
