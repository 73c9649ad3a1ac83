"use client";
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import {
  endSession,
  findSessionEnd,
  keepSession,
  onSignOut,
  requestSignIn,
} from "@/app/_components/shell/session/session";

const warningMs = 60_000;

/**
 * With unsaved changes, the reader signs in over the page; otherwise the login page opens. Activity in any tab extends
 * the
 * session, so `endsAt` (milliseconds since 1970, as of the render) is fetched again before the warning.
 */
export function SessionWatch({ endsAt }: Readonly<{ endsAt: number }>) {
  const [laterEnd, setLaterEnd] = useState(0);
  const [warnedOf, setWarnedOf] = useState<number | null>(null);
  const end = Math.max(endsAt, laterEnd);
  useEffect(() => onSignOut(() => void endSession()), []);
  useEffect(() => {
    let isCurrent = true;
    const at = (time: number, act: () => void) =>
      setTimeout(
        () =>
          void findSessionEnd().then((found) => {
            if (!isCurrent) return;
            if (found !== null && found > end) setLaterEnd(found);
            else act();
          }),
        Math.max(0, time - Date.now()),
      );
    const warning = at(end - warningMs, () => setWarnedOf(end));
    const over = at(end, () => void endSession());
    return () => {
      isCurrent = false;
      clearTimeout(warning);
      clearTimeout(over);
    };
  }, [end]);

  /** Once activity no longer extends the session, only the password helps. */
  async function stay() {
    const found = await keepSession();
    if (found !== null && found > end) setLaterEnd(found);
    else await requestSignIn();
  }

  return (
    <div role="status">
      {warnedOf === end && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-warn-line bg-warn-soft px-4 py-1.5 text-table md:px-6">
          <Clock aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <p className="grow">Your session ends within a minute.</p>
          <Button size="sm" onClick={() => void stay()}>
            Stay signed in
          </Button>
        </div>
      )}
    </div>
  );
}
