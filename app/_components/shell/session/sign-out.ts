"use client";
import { askToLeave, listDirty, stopGuarding } from "@/app/_components/form/leave-guard-store";
import { loadPage } from "@/app/_components/shell/navigation/load-page";
import { announceSignOut } from "@/app/_components/shell/session/session-channel";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { post } from "@/lib/http/client";

/** Ends the session, asking first when unsaved changes would be left behind. */
export async function signOut(): Promise<void> {
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
