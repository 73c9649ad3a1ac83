"use client";
import { CircleUserRound, LogOut } from "lucide-react";
import { IconButton } from "@/app/_components/icon-button";
import { Menu } from "@/app/_components/menu";
import { signOut } from "@/app/_components/shell/sign-out";

/** Signs out; shown only to who has signed in. */
export function AccountMenu() {
  return (
    <Menu
      trigger={<IconButton icon={CircleUserRound} label="Administrator" />}
      entries={[{ label: "Sign out", icon: LogOut, onSelect: () => void signOut() }]}
    />
  );
}
