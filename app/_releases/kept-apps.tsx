import { Link } from "@/app/_components/ui/link";
import type { KeptAppJson } from "@/lib/releases/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";
import { LongList } from "./long-list";

/** The apps that a rollback leaves in production, each with its page and the decision that takes it back (L12). */
export function KeptApps({ apps, number }: Readonly<{ apps: readonly KeptAppJson[]; number: number }>) {
  if (apps.length === 0) return null;
  return (
    <div className="rounded-card border border-line text-table text-text">
      <p className="px-3 py-2">
        <span className="font-medium">Decisions about apps stay.</span>{" "}
        {apps.length === 1
          ? `1 app published after release #${number} keeps its version in production until you move it back:`
          : `${plural(apps.length, "app")} published after release #${number} keep their versions in production until you move them back:`}
      </p>
      <LongList
        className="divide-y divide-line border-t border-line"
        first={5}
        rows={apps.map(({ uuid, id, name }) => (
          <li key={uuid} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-0.5 px-3 py-1.5">
            <Link href={`/applications/${id}`} className="font-medium wrap-anywhere">
              {name}
            </Link>
            <Link href={`/applications/${id}?restore=STAGING`}>
              Move back to staging… <span className="sr-only">{name}</span>
            </Link>
          </li>
        ))}
      />
    </div>
  );
}
