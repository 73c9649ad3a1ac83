import { CircleArrowUp, CircleCheck, CircleHelp, ExternalLink } from "lucide-react";
import { Chip } from "@/app/_components/ui/chip";
import type { About } from "@/app/(console)/about/facts";

export type VersionFacts = Pick<
  About,
  "current_version" | "latest_version" | "update_type" | "update_page" | "update_check"
>;

/** A failed check does not count as "current". */
export function VersionLine({
  about: {
    current_version: current,
    latest_version: latest,
    update_type: updateType,
    update_page: page,
    update_check: check,
  },
}: Readonly<{ about: VersionFacts }>) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {current}
      {check === "off" && <span className="text-muted">Update check is off (UPDATE_CHECK_URL)</span>}
      {check === "failed" && (
        <Chip tone="warn" icon={CircleHelp}>
          Could not check for updates
        </Chip>
      )}
      {check === "done" && updateType === null && (
        <Chip tone="good" icon={CircleCheck}>
          Current
        </Chip>
      )}
      {check === "done" && updateType !== null && (
        <>
          <Chip tone="accent" icon={CircleArrowUp}>
            {`${latest} is available (${updateType})`}
          </Chip>
          {page !== null && (
            <a
              href={page}
              target="_blank"
              rel="noreferrer"
              aria-label={`Read about ${latest} (new tab)`}
              className="inline-flex items-center gap-1"
            >
              Read about {latest}
              <ExternalLink aria-hidden="true" className="size-3.5" />
            </a>
          )}
        </>
      )}
    </span>
  );
}
