"use client";

/**
 * Says which faults a save has brought to the staging table (`data.findings`): it is stored all the same.
 *
 * @param answer `data` of any answer; nothing happens without findings
 */
export function showFindings(answer: unknown): void {
  if (typeof answer !== "object" || answer === null || !("findings" in answer)) return;
  void import("@/app/_components/feedback/findings-toast").then(({ toastFindings }) => toastFindings(answer));
}
