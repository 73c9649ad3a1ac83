import { Lock, MessageCircleWarning, MessageSquare } from "lucide-react";
import { Link } from "@/app/_components/ui/link";
import { promptNotes } from "@/app/(console)/functionalgroups/prompt-notes";
import { Chip } from "@/app/_components/ui/chip";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { recordColumns } from "@/app/_records/record-columns";
import type { GroupRow, PromptLink } from "@/lib/content/groups/console-rows";
import { groupGrants } from "@/lib/labels/group-flags";
import { Breakable } from "@/app/_components/ui/breakable";

export const groupColumns: readonly DataColumn<GroupRow>[] = [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    isPrimary: true,
    // Takes the room that the others leave.
    className: "w-full max-w-0 min-w-40",
    cell: (row) => (
      <>
        <Breakable text={row.name} />
        {row.description && (
          <span className="block truncate text-xs font-normal text-muted" title={row.description}>
            {row.description}
          </span>
        )}
        {row.foundCount > 0 && <Found row={row} />}
      </>
    ),
  },
  {
    id: "grants",
    header: "Granted to",
    className: "max-w-44",
    hiddenBelow: "lg",
    cell: ({ grants }) =>
      grants.length === 0 ? (
        <span className="whitespace-nowrap text-muted">On request</span>
      ) : (
        <span className="inline-flex flex-wrap gap-1">
          {grants.map((kind) => (
            <Chip key={kind} tone={kind === "default" ? "accent" : "plain"}>
              {groupGrants[kind].chip}
            </Chip>
          ))}
        </span>
      ),
  },
  { id: "rpcs", header: "RPCs", align: "end", className: "w-16 tabular-nums", cell: ({ rpcCount }) => rpcCount },
  {
    id: "parameters",
    header: "Parameters",
    align: "end",
    className: "w-24 tabular-nums",
    hiddenBelow: "xl",
    cell: ({ parameterCount }) => (parameterCount === 0 ? <span className="text-muted">–</span> : parameterCount),
  },
  {
    id: "prompt",
    header: "Consent prompt",
    className: "max-w-48",
    hiddenBelow: "lg",
    cell: ({ prompt }) => (prompt === null ? <span className="text-muted">–</span> : <Prompt prompt={prompt} />),
  },
  {
    id: "encryption",
    header: "Encryption",
    isOptional: true,
    className: "w-28",
    cell: ({ encryptionRequired }) =>
      encryptionRequired ? (
        <Chip tone="plain" icon={Lock}>
          Required
        </Chip>
      ) : (
        <span className="text-muted">–</span>
      ),
  },
  ...recordColumns<GroupRow>((row) => row),
];

function Prompt({ prompt: { category, id, state } }: Readonly<{ prompt: PromptLink }>) {
  const note = promptNotes[state];
  return (
    <span className="relative z-1 inline-flex max-w-full flex-wrap items-center gap-1.5">
      {id === null ? (
        <span className="truncate">{category}</span>
      ) : (
        <Link href={`/consumermessages/manage?id=${id}`} className="inline-flex min-w-0 gap-1">
          <MessageSquare aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span className="truncate">{category}</span>
        </Link>
      )}
      {note && (
        <Chip tone={note.tone} icon={MessageCircleWarning}>
          {note.word}
        </Chip>
      )}
    </span>
  );
}

function Found({ row: { found, foundCount } }: Readonly<{ row: GroupRow }>) {
  const more = foundCount - found.length;
  return (
    <span className="block truncate text-xs font-normal text-muted">
      Holds <span className="font-medium text-text">{found.join(", ")}</span>
      {more > 0 && ` and ${more} more`}
    </span>
  );
}
