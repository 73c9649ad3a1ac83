import { CircleArrowUp, CircleCheck, CircleHelp } from "lucide-react";
import { Chip } from "@/app/_components/chip";

/** The version that runs, and whether a newer one is known. A failed look is not taken for "current". */
export function VersionLine({
  current,
  latest,
  updateType,
  check,
}: Readonly<{
  current: string;
  latest: string | null;
  updateType: string | null;
  check: "off" | "failed" | "done";
}>) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {current}
      {check === "off" && <span className="text-muted">Updates are not looked for (UPDATE_CHECK_URL)</span>}
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
        <Chip tone="accent" icon={CircleArrowUp}>
          {`${latest ?? ""} is available (${updateType})`}
        </Chip>
      )}
    </span>
  );
}
