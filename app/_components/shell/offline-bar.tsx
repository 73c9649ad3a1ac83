"use client";
import { WifiOff } from "lucide-react";
import { useOnline } from "@/app/_components/use-online";

/** Says that there is no connection, and what that means. */
export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center gap-2 border-t border-line bg-text px-4 py-2 text-table text-page md:px-6">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          No connection. You see what was loaded last; nothing can be saved until the connection is back.
        </p>
      )}
    </div>
  );
}
