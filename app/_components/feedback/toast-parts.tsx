import type { ReactNode } from "react";
import { toast } from "sonner";
import { readPreference, writePreference } from "@/app/_components/hooks/use-preference";
import { Link } from "@/app/_components/ui/link";
import { Findings, readFindings } from "@/app/_components/feedback/findings";

/** A later save replaces them. The policy table page keeps listing them. */
export function toastFindings(answer: unknown): void {
  const findings = readFindings(answer);
  if (findings === null) return;
  toast.warning("Saved, but the staging table now has a problem", {
    id: "findings",
    description: (
      <div className="mt-1 space-y-2">
        <p>Fix it before you publish:</p>
        <div className="max-h-64 overflow-y-auto">
          <Findings findings={findings} />
        </div>
      </div>
    ),
  });
}

/** Once per browser, for readers without a name. */
export function takeNameHint(): { readonly description: ReactNode } | null {
  if (readPreference("displayName") || readPreference("displayNameHint")) return null;
  writePreference("displayNameHint", "shown");
  return {
    description: (
      <>
        Recorded without a name.{" "}
        <Link href="/you#preferences" className="inline-block">
          Set a display name
        </Link>
      </>
    ),
  };
}
