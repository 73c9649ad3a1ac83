"use client";
import { CalendarClock, CircleX } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Chip } from "@/app/_components/ui/chip";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { dialogOnDemand } from "@/app/_components/overlay/on-demand";
import { Author } from "@/app/_releases/labels";
import type { ScheduledReleaseJson } from "@/lib/releases/answer-schema";
import { listSome, plural } from "@/lib/vocabulary/format-number";

const ScheduledDialog = dialogOnDemand(() => import("./scheduled-dialog").then((m) => m.ScheduledDialog));

const maxNames = 4;

/** Scheduled releases, and those that were not published at their time (L11). */
export function ScheduledSection({
  scheduled,
}: Readonly<{
  /** With the names of their items. */
  scheduled: readonly (ScheduledReleaseJson & { readonly titles: readonly string[] })[];
}>) {
  const [asked, setAsked] = useState<{ act: "move" | "cancel"; release: ScheduledReleaseJson } | null>(null);
  if (scheduled.length === 0) return null;
  return (
    <Section
      id="scheduled"
      title="Scheduled"
      description="Published at the set time, unless an item changes before then."
      flush
      className="mb-4"
    >
      <ul className="divide-y divide-line text-table">
        {scheduled.map((release) => (
          <li key={release.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-2.5">
            <div className="min-w-0 grow basis-72 space-y-0.5">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{release.name ?? plural(release.items.length, "change")}</span>
                {release.state === "stopped" ? (
                  <Chip tone="bad" icon={CircleX}>
                    Stopped
                  </Chip>
                ) : (
                  <Chip tone="accent" icon={CalendarClock}>
                    Waiting
                  </Chip>
                )}
              </p>
              <p className="text-muted">
                <TimeAgo at={release.at} exact /> · by <Author author={release.author} /> ·{" "}
                {listSome(release.titles, maxNames)}
              </p>
              {release.stopped_because !== null && <p className="text-bad">{release.stopped_because}</p>}
            </div>
            <div className="flex gap-2">
              <Button size="sm" needsServer needs="publish" onClick={() => setAsked({ act: "move", release })}>
                Move…
              </Button>
              <Button size="sm" needsServer needs="publish" onClick={() => setAsked({ act: "cancel", release })}>
                {release.state === "stopped" ? "Remove…" : "Cancel…"}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked !== null && <ScheduledDialog {...asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}
