import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { askToLeave, leavesUnsaved } from "@/app/_components/form/leave-guard";

/** Goes to another address of the console, asking first when unsaved changes would be left behind. */
export function useNavigate(): (href: string) => void {
  const router = useRouter();
  return useCallback(
    (href) => {
      if (!leavesUnsaved(href)) {
        router.push(href);
        return;
      }
      void askToLeave().then((mayLeave) => {
        if (mayLeave) router.push(href);
      });
    },
    [router],
  );
}
