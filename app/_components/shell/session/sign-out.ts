"use client";
import { askToLeave, listDirty, stopGuarding } from "@/app/_components/form/leave-guard-store";
import { loadPage } from "@/app/_components/shell/navigation/load-page";
import { announceSignOut } from "@/app/_components/shell/session/session-channel";
import { showProblem } from "@/app/_components/feedback/show-toast";
import { post } from "@/lib/platform/http/client";

/** Ends the session, asking first when unsaved changes would be left behind. */
export async function signOut(): Promise<void> {
  if (listDirty().length > 0 && !(await askToLeave())) return;
  try {
    const next = readNext(await post("/api/v1/logout"));
    stopGuarding();
    // The identity provider's own session is ended there, and leads back to the login page.
    loadPage(next ?? "/login");
    announceSignOut();
  } catch (error) {
    showProblem(error);
  }
}

/** Where the identity provider ends its own session; null: there is none to end. */
function readNext(answer: unknown): string | null {
  const isTold = typeof answer === "object" && answer !== null && "continue_at" in answer;
  return isTold && typeof answer.continue_at === "string" ? answer.continue_at : null;
}
