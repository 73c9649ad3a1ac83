"use client";
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/app/_components/button";
import { endSession } from "@/app/_components/shell/end-session";
import { onSignOut } from "@/app/_components/shell/session-channel";
import { requestSignIn } from "@/app/_components/shell/sign-in-store";

/** How long before the end of a session the reader is told. */
const warningMs = 60_000;

/**
 * Tells of the end of the session a minute before, and follows when another tab signs out. Unsaved changes stay: the
 * reader then signs in over the page; without any the login page comes.
 */
export function SessionWatch({ endsAt }: Readonly<{ endsAt: number }>) {
  const [warnedOf, setWarnedOf] = useState<number | null>(null);
  useEffect(() => onSignOut(() => void endSession()), []);
  useEffect(() => {
    const left = endsAt - Date.now();
    const warning = setTimeout(
      () => {
        setWarnedOf(endsAt);
      },
      Math.max(0, left - warningMs),
    );
    const end = setTimeout(
      () => {
        void endSession();
      },
      Math.max(0, left),
    );
    return () => {
      clearTimeout(warning);
      clearTimeout(end);
    };
  }, [endsAt]);

  return (
    <div role="status">
      {warnedOf === endsAt && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-warn-line bg-warn-soft px-4 py-1.5 text-table md:px-6">
          <Clock aria-hidden="true" className="size-4 shrink-0 text-warn" />
          <p className="grow">Your session ends within a minute.</p>
          <Button size="sm" onClick={() => void requestSignIn()}>
            Stay signed in
          </Button>
        </div>
      )}
    </div>
  );
}
