"use client";
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { TimeAgo } from "@/app/_components/time-ago";
import { useOnline } from "@/app/_components/use-online";

/** Says that there is no connection, and what that means. */
export function OfflineBar() {
  const isOnline = useOnline();
  const [lostAt, setLostAt] = useState<string | null>(null);
  useEffect(() => {
    const note = () => {
      setLostAt(new Date().toISOString());
    };
    window.addEventListener("offline", note);
    return () => {
      window.removeEventListener("offline", note);
    };
  }, []);
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center gap-2 border-t border-line bg-text px-4 py-2 text-table text-page md:px-6">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <span>
            No connection. You see what was loaded before it was lost
            {lostAt !== null && (
              <>
                {" "}
                (<TimeAgo at={lostAt} />)
              </>
            )}
            ; nothing can be saved until it is back.
          </span>
        </p>
      )}
    </div>
  );
}
