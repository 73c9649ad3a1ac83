import { CircleAlert, CircleCheck, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import { EmptyState } from "@/app/_components/feedback/empty-state";
import { buttonClass } from "@/app/_components/ui/button-class";
import { Chip } from "@/app/_components/ui/chip";
import { cn } from "@/app/_components/ui/cn";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { OverviewAnswer, Waiting, WaitingKind } from "@/app/(console)/(overview)/answer-schema";
import { ChangeMark } from "@/app/_releases/labels";
import { capital, plural } from "@/lib/vocabulary/format-number";
import { releaseItems } from "@/lib/vocabulary/release-items";
import { mayDo, type Role, roleFor } from "@/lib/vocabulary/roles";

interface Look {
  readonly icon: LucideIcon;
  readonly className: string;
  /** For screen readers, before the sentence. */
  readonly word: string;
}
const urgent: Look = { icon: TriangleAlert, className: "text-bad", word: "Urgent:" };
const open: Look = { icon: CircleAlert, className: "text-warn", word: "To do:" };
const planned: Look = { icon: Clock, className: "text-muted", word: "Waiting:" };

const kinds: Readonly<Record<WaitingKind, readonly [look: Look, sentence: (count: number) => string]>> = {
  database: [urgent, () => "Vehicles keep the last policy: the database cannot be used"],
  authority: [urgent, () => "Certificates cannot be created: the authority is not usable"],
  expired_certificates: [urgent, (count) => `${plural(count, "certificate")} ${count === 1 ? "has" : "have"} expired`],
  stopped_releases: [
    urgent,
    (count) => `${plural(count, "scheduled release")} ${count === 1 ? "was" : "were"} stopped`,
  ],
  approvals: [open, (count) => `${plural(count, "request")} ${count === 1 ? "waits" : "wait"} for your approval`],
  applications: [open, (count) => `${plural(count, "app")} to review`],
  changes: [open, (count) => `${plural(count, "change")} not in production`],
  ending_certificates: [
    open,
    (count) => `${plural(count, "certificate")} ${count === 1 ? "expires" : "expire"} within a day`,
  ],
  failed_tasks: [open, (count) => `${plural(count, "task")} of the app directory failed`],
  unreadable_applications: [open, (count) => `${plural(count, "app")} in the app directory cannot be read`],
  unmapped_permissions: [open, (count) => `${plural(count, "permission")} in no functional group in production`],
  others_approvals: [planned, (count) => `${plural(count, "request")} that you cannot approve`],
  scheduled_releases: [planned, (count) => plural(count, "scheduled release")],
};

/** What most people come for looks like a button. The whole row is the link. */
const acts: Readonly<Partial<Record<WaitingKind, string>>> = {
  approvals: "Review requests",
  applications: "Review apps",
  changes: "Review changes",
};

/** What needs attention, the riskiest first. Each entry links to the page that deals with it. */
export function WaitingList({
  waiting,
  applications,
  changes,
  role,
}: Readonly<Pick<OverviewAnswer, "waiting" | "applications" | "changes"> & { role: Role | null }>) {
  if (waiting.length === 0) {
    return (
      <EmptyState icon={CircleCheck} title="Nothing waits for you">
        Every app is decided, and production has every change.
      </EmptyState>
    );
  }
  return (
    <Section title="Waiting for you" flush>
      <ul className="divide-y divide-line text-table">
        {waiting.map((item) => (
          <li key={item.kind}>
            <WaitingRow item={item} isAllowed={mayDo(role, item.needs)} />
            {item.kind === "applications" && <AppList applications={applications} />}
            {item.kind === "changes" && <NamedChanges changes={changes} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WaitingRow({ item, isAllowed }: Readonly<{ item: Waiting; isAllowed: boolean }>) {
  const { kind, count, needs, path, detail } = item;
  const [{ icon: Icon, className, word }, sentence] = kinds[kind];
  return (
    <div className="relative flex items-start gap-2.5 px-4 py-2 hover:bg-hover">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", className)} />
      <div className="min-w-0 grow">
        <Link href={path} className="font-medium text-text no-underline after:absolute after:inset-0 hover:underline">
          <span className="sr-only">{word} </span>
          {sentence(count)}
        </Link>
        {detail !== null && (
          <p className="line-clamp-2 text-muted">
            {kind === "scheduled_releases" ? <TimeAgo at={detail} className="relative z-1" /> : detail}
          </p>
        )}
      </div>
      {isAllowed ? (
        kind in acts && (
          <span aria-hidden="true" className={buttonClass({ size: "sm" })}>
            {acts[kind]}
          </span>
        )
      ) : (
        <Chip tone="plain">Needs {roleFor[needs]}</Chip>
      )}
    </div>
  );
}

function NamedChanges({ changes }: Readonly<Pick<OverviewAnswer, "changes">>) {
  return (
    <ul className="pb-1.5">
      {changes.map(({ family, title, change, path }) => {
        const noun = capital(releaseItems[family].noun);
        return (
          <li key={path} className="relative flex items-center gap-3 py-1 pr-4 pl-10.5 hover:bg-hover">
            <Link
              href={path}
              className="min-w-0 truncate text-link no-underline after:absolute after:inset-0 hover:underline"
            >
              {title}
            </Link>
            {noun !== title && <span className="text-muted max-sm:hidden">{noun}</span>}
            <span className="ml-auto shrink-0">
              <ChangeMark change={change} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function AppList({ applications }: Readonly<Pick<OverviewAnswer, "applications">>) {
  return (
    <ul className="pb-1.5">
      {applications.map(({ id, name, vendor, version, waiting_since: since }) => (
        <li key={id} className="relative flex items-baseline gap-3 py-1 pr-4 pl-10.5 hover:bg-hover">
          <Link
            href={`/applications/${id}`}
            className="max-w-[50%] shrink-0 truncate text-link no-underline after:absolute after:inset-0 hover:underline"
          >
            {name} <span className="text-muted tabular-nums">{version}</span>
          </Link>
          <span className="min-w-0 truncate text-muted">{vendor}</span>
          <TimeAgo at={since} className="relative z-1 ml-auto whitespace-nowrap text-muted" />
        </li>
      ))}
    </ul>
  );
}
