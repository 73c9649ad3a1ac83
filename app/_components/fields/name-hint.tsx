import { Link } from "@/app/_components/ui/link";
import type { ReactNode } from "react";
import { readPreference, writePreference } from "@/app/_components/hooks/use-preference";

/**
 * What the toast of a first change also says to somebody who has given no name. Once per
 * browser; the toast stays, because it has something to choose.
 */
export function takeNameHint(): { readonly description: ReactNode; readonly duration: number } | null {
  if (readPreference("displayName") || readPreference("displayNameHint")) return null;
  writePreference("displayNameHint", "shown");
  return {
    duration: Infinity,
    description: (
      <>
        Recorded without a name.{" "}
        <Link href="/about#preferences" className="inline-block">
          Set a display name
        </Link>
      </>
    ),
  };
}
