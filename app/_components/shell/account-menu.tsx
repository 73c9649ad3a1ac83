"use client";
import { CircleUserRound, LogOut } from "lucide-react";
import { askToLeave, listDirty, stopGuarding } from "@/app/_components/form/leave-guard-store";
import { IconButton } from "@/app/_components/icon-button";
import { Menu } from "@/app/_components/menu";
import { loadPage } from "@/app/_components/shell/load-page";
import { announceSignOut } from "@/app/_components/shell/session-channel";
import { showProblem } from "@/app/_components/show-toast";
import { post } from "@/lib/http/client";

/** Signs out; shown only to who has signed in. */
export function AccountMenu() {
  async function signOut() {
    if (listDirty().length > 0 && !(await askToLeave())) return;
    try {
      await post("/api/v1/logout");
    } catch (error) {
      showProblem(error);
      return;
    }
    stopGuarding();
    loadPage("/login");
    announceSignOut();
  }
  return (
    <Menu
      trigger={<IconButton icon={CircleUserRound} label="Administrator" />}
      entries={[{ label: "Sign out", icon: LogOut, onSelect: () => void signOut() }]}
    />
  );
}
