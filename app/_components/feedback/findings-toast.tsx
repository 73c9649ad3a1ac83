import { toast } from "sonner";
import { Findings, readFindings } from "@/app/_components/feedback/findings";

/** Shows the faults in `data` of a save until the reader closes them; those of a later save take their place. */
export function toastFindings(answer: unknown): void {
  const findings = readFindings(answer);
  if (findings === null) return;
  toast.warning("Saved, but the staging table now has a problem", {
    id: "findings",
    duration: Infinity,
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
