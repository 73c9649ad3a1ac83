"use client";
import { useRef, useState } from "react";
import { type Finding, readFindings } from "@/app/_components/promotion-findings";
import { useAction } from "@/app/_components/use-action";
import { ApiError } from "@/lib/http/client";

/**
 * Calls a route that promotes. What head units would refuse is kept for a second question: show `FindingsDialog` while
 * there are findings.
 *
 * @param path the route
 */
export function usePromotion(path: string) {
  const action = useAction(path);
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  /** The first question closes when its act is over: whether another one follows is known before it is drawn. */
  const isRefused = useRef(false);

  /**
   * Gives whether it was promoted, and not refused with findings.
   *
   * @param force publishes in spite of them
   * @throws ApiError for every other refusal
   */
  async function run(body: object, force: boolean): Promise<boolean> {
    try {
      await action.run({ ...body, ...(force && { force }) });
      return true;
    } catch (error) {
      const found = error instanceof ApiError && error.status === 409 && !force ? readFindings(error.data) : null;
      if (found === null) throw error;
      isRefused.current = true;
      setFindings(found);
      return false;
    }
  }

  return { findings, run, isRefused };
}
