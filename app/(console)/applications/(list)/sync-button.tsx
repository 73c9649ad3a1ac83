"use client";
import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import useSWRMutation from "swr/mutation";
import { Button } from "@/app/_components/button";
import { showDone, showProblem } from "@/app/_components/show-toast";
import { post } from "@/lib/http/client";

/** Reads the app directory now. The server does it in the background; the list is drawn again a while later. */
export function SyncButton() {
  const router = useRouter();
  const { trigger, isMutating } = useSWRMutation<unknown, Error, string, unknown>("/api/v1/ui/sync", post, {
    throwOnError: false,
    onSuccess: () => {
      showDone("The app directory is being read", {
        label: "Show the list again",
        onClick: () => {
          router.refresh();
        },
      });
    },
    onError: (error) => {
      showProblem(error);
    },
  });
  return (
    <Button variant="primary" needsServer busy={isMutating} onClick={() => void trigger()}>
      <RefreshCw aria-hidden="true" />
      Sync now
    </Button>
  );
}
