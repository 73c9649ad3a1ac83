"use client";
import { useRef, useState } from "react";
import { type Finding, readFindings } from "@/app/_components/feedback/promotion-findings";
import { ApiError } from "@/lib/http/client";

/**
 * Runs a promotion. What head units would refuse is kept for a second question: show `FindingsDialog` while there are
 * findings.
 *
 * @param act calls the route; `force` publishes in spite of findings
 */
export function usePromotion(act: (force: boolean) => Promise<unknown>) {
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  /** The first question closes when its act is over: whether another one follows is known before it is drawn. */
  const isRefused = useRef(false);

  /**
   * Gives whether it was promoted, and not refused with findings.
   *
   * @throws ApiError for every other refusal
   */
  async function run(force: boolean): Promise<boolean> {
    try {
      await act(force);
      return true;
    } catch (error) {
      const found = force ? null : readRefusal(error);
      if (found === null) throw error;
      isRefused.current = true;
      setFindings(found);
      return false;
    }
  }

  return { findings, run, isRefused };
}

/** What head units would refuse, when that is why a route refused; null for every other error. */
export function readRefusal(error: unknown): readonly Finding[] | null {
  return error instanceof ApiError && error.status === 409 ? readFindings(error.data) : null;
}
