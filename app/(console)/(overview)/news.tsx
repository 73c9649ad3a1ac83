import type { ReactNode } from "react";
import { describeEvent, pathOfEvent } from "@/app/(console)/activity/event-labels";
import { Link } from "@/app/_components/ui/link";
import { Section } from "@/app/_components/ui/section";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/labels";
import type { OverviewAnswer } from "@/app/(console)/(overview)/answer-schema";
import type { AuthorJson } from "@/lib/releases/answer-schema";
import { formatNumber, plural } from "@/lib/vocabulary/format-number";

const maxLines = 6;
const decision = "applications.action";

interface Line {
  readonly key: string;
  readonly at: string;
  readonly author: AuthorJson | null;
  readonly what: string;
  readonly path: string | null;
}

interface NewsProps extends Pick<OverviewAnswer, "since" | "releases"> {
  /** Names of the items that the events are about, by target. */
  readonly names: ReadonlyMap<string, string>;
}

/** What people did since yesterday: one line for each release, and one for many events of one kind. */
export function News({ since, releases, names }: Readonly<NewsProps>) {
  const lines = listLines({ since, releases, names });
  return (
    <Section
      title="Since yesterday"
      actions={<Link href={`/activity?from=${encodeURIComponent(since.from)}`}>All activity</Link>}
      flush
    >
      {lines.length === 0 ? (
        <p className="px-4 py-3 text-muted">
          {since.has_more ? "The newest events are sign-ins." : "Nothing has changed in the last 24 hours."}
        </p>
      ) : (
        <ul className="divide-y divide-line text-table">
          {lines.slice(0, maxLines).map((line) => (
            <li key={line.key} className="px-4 py-1.5">
              <Author author={line.author} /> <What line={line} />{" "}
              <TimeAgo at={line.at} className="whitespace-nowrap text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function What({ line: { what, path } }: Readonly<{ line: Line }>): ReactNode {
  return path === null ? what : <Link href={path}>{what}</Link>;
}

function listLines({ since: { from, kinds }, releases, names }: NewsProps): Line[] {
  const published = releases.flatMap(({ number, kind, name, item_count: count, at, author }): Line[] => {
    if (at < from || kind === "first") return [];
    const verb = kind === "return" ? "rolled back with" : "published";
    const what = `${verb} #${number}${name === null ? "" : ` ${name}`} (${plural(count, "change")})`;
    return [{ key: `release ${number}`, at, author, what, path: `/releases/${number}` }];
  });
  const done = kinds.map(({ event, count }): Line => {
    const { actor, display_name, display_name_verified } = event;
    // The verb of a decision is about the first one alone.
    const more = event.action === decision ? plural(count - 1, "more decision") : `${formatNumber(count - 1)} more`;
    return {
      key: `event ${event.id}`,
      at: event.created_ts,
      author: { actor, display_name, display_name_verified },
      what: describeEvent(event, names) + (count === 1 ? "" : ` (and ${more})`),
      path: pathOfEvent(event.target, names),
    };
  });
  return [...published, ...done].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
