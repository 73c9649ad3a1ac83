import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { askToLeave, leavesUnsaved } from "@/app/_components/form/leave-guard";

/** Opens another address of the console; asks first if unsaved changes would be left. */
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
