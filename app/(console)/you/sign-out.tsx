"use client";
import { LogOut } from "lucide-react";
import { showDone } from "@/app/_components/feedback/show-toast";
import { useAction } from "@/app/_components/hooks/use-action";
import { ConfirmDialog } from "@/app/_components/overlay/confirm-dialog";
import { signOut } from "@/app/_components/shell/session/session";
import { Button } from "@/app/_components/ui/button";
import { plural } from "@/lib/vocabulary/format-number";

export function SignOut() {
  return (
    <Button onClick={() => void signOut()}>
      <LogOut aria-hidden="true" />
      Sign out
    </Button>
  );
}

export function EndOthers({ count }: Readonly<{ count: number }>) {
  const end = useAction("/api/v1/sessions", { method: "delete" });
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" needsServer>
          Sign out other sessions…
        </Button>
      }
      title={`Sign out of ${plural(count, "other session")}?`}
      confirmLabel="Sign out other sessions"
      onConfirm={async () => {
        await end.run();
        showDone("You are signed out everywhere else");
      }}
    >
      The other browsers are signed out within two seconds. You stay signed in here.
    </ConfirmDialog>
  );
}
