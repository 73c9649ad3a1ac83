import { FactList } from "@/app/_components/ui/fact-list";
import { formatMoment } from "@/app/_components/ui/moment";
import type { RuntimeStatus } from "@/lib/policy/status";
import { formatNumber } from "@/lib/vocabulary/format-number";

const stateTexts: Readonly<Record<RuntimeStatus["state"], string>> = {
  starting: "Starting, no policy compiled yet",
  ready: "Ready",
  degraded: "Degraded: vehicles get answers, but the database cannot be read or written",
};

/** Null: this process has no runtime. */
export function PolicyFigures({
  status,
  servedRevision = null,
}: Readonly<{
  status: RuntimeStatus | null;
  /** Null: there are no vehicle workers. */
  servedRevision?: number | null;
}>) {
  if (status === null) return <p>The policy runtime is not running in this process.</p>;
  return (
    <FactList
      facts={[
        ["State", stateTexts[status.state]],
        ["Database", status.database === "embedded" ? "Embedded (not for production)" : "MongoDB"],
        ["Policy revision", status.revision ?? "none yet"],
        ...(servedRevision === null || servedRevision === status.revision
          ? []
          : [["Served to vehicles", `revision ${servedRevision}`] as const]),
        ["Compiled", <Moment key="compiled" at={status.builtAt} />],
        ["Apps", formatNumber(status.apps)],
        ["Functional groups", inBoth(status.groups)],
        ["Consumer messages", inBoth(status.messages)],
        ...(status.lastError === null ? [] : [["Last problem", status.lastError] as const]),
      ]}
    />
  );
}

function Moment({ at }: Readonly<{ at: number | null }>) {
  if (at === null) return "not yet";
  const iso = new Date(at).toISOString();
  return <time dateTime={iso}>{formatMoment(iso, "utc")}</time>;
}

function inBoth({ staging, production }: RuntimeStatus["groups"]): string {
  return `${formatNumber(staging)} in staging, ${formatNumber(production)} in production`;
}
