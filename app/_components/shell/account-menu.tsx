"use client";
import { CircleUserRound, LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { IconButton } from "@/app/_components/icon-button";
import { Menu } from "@/app/_components/menu";
import { announceSignOut } from "@/app/_components/shell/session-channel";
import { showProblem } from "@/app/_components/show-toast";
import { post } from "@/lib/http/client";

/** Signs out; shown only to who has signed in. */
export function AccountMenu() {
  const router = useRouter();
  async function signOut() {
    try {
      await post("/api/v1/logout");
    } catch (error) {
      showProblem(error);
      return;
    }
    announceSignOut();
    router.replace("/login");
    router.refresh();
  }
  return (
    <Menu
      trigger={<IconButton icon={CircleUserRound} label="Administrator" />}
      entries={[{ label: "Sign out", icon: LogOut, onSelect: () => void signOut() }]}
    />
  );
}
