"use client";
import { CircleUserRound, LogOut } from "lucide-react";
import { IconButton } from "@/app/_components/ui/icon-button";
import { Menu } from "@/app/_components/overlay/menu";
import { signOut } from "@/app/_components/shell/session/sign-out";

/** Signs out; shown only to who has signed in. */
export function AccountMenu() {
  return (
    <Menu
      trigger={<IconButton icon={CircleUserRound} label="Administrator" />}
      entries={[{ label: "Sign out", icon: LogOut, onSelect: () => void signOut() }]}
    />
  );
}
