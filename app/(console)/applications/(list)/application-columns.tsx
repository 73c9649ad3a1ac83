import { cn } from "@/app/_components/ui/cn";
import type { DataColumn } from "@/app/_components/list/table/data-column";
import { ApprovalChip } from "@/app/_components/ui/status-chip";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import type { ConsoleRow } from "@/lib/apps/applications/console/console-rows";
import { AppIcon } from "../app-icon";
import { EffectChips } from "../effect-lines";
import { KeyRound, Lock, Waypoints, Zap, type LucideIcon } from "lucide-react";
import { Tooltip } from "@/app/_components/ui/tooltip";
import type { ListFlag } from "@/lib/apps/applications/console/console-schema";

const flags: Readonly<Record<ListFlag, { readonly icon: LucideIcon; readonly words: string }>> = {
  auto: { icon: Zap, words: "Later versions are approved automatically" },
  administrator: { icon: KeyRound, words: "Has the administrator groups" },
  passthrough: { icon: Waypoints, words: "May pass unknown RPCs through" },
  encryption: { icon: Lock, words: "Must encrypt its RPCs" },
};

export interface ListRow extends ConsoleRow {
  readonly isOverdue: boolean;
}

const none = <span className="text-muted">—</span>;

const columns = {
  name: {
    id: "name",
    header: "App",
    isPrimary: true,
    sortKey: "name",
    className: "max-w-60 md:max-lg:max-w-40",
    cell: ({ name, vendor, iconUrl }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <AppIcon url={iconUrl} name={name} size="sm" />
        <span className="max-w-full shrink-0 truncate">{name}</span>
        {vendor !== "" && <span className="min-w-0 truncate text-xs font-normal text-muted">{vendor}</span>}
      </span>
    ),
  },
  state: {
    id: "state",
    header: "State",
    cell: ({ state }) => <ApprovalChip state={state} />,
  },
  news: {
    id: "news",
    header: "What’s new",
    className: "max-w-80 wrap-normal",
    sortKey: "risk",
    sortsDownFirst: true,
    cell: ({ effect }) => <EffectChips effect={effect} />,
  },
  live: {
    id: "live",
    header: "In production",
    className: "wrap-normal",
    cell: ({ production, staging }) => (
      <>
        <span className={cn(production === null && "text-muted")}>{production?.label ?? "none"}</span>
        {staging?.id !== production?.id && <span className="text-muted">, staging: {staging?.label ?? "none"}</span>}
      </>
    ),
  },
  version: {
    id: "version",
    header: "This version",
    className: "whitespace-nowrap",
    hiddenBelow: "xl",
    cell: ({ version }) => version,
  },
  platform: {
    id: "platform",
    header: "Platform",
    className: "whitespace-nowrap",
    hiddenBelow: "xl",
    cell: ({ platform }) => platform,
  },
  category: {
    id: "category",
    header: "Category",
    className: "wrap-normal",
    hiddenBelow: "xl",
    cell: ({ category }) => category ?? none,
  },
  countries: {
    id: "countries",
    header: "Countries",
    isOptional: true,
    cell: ({ countries, countryCount }) => {
      const more = countryCount - countries.length;
      return countryCount === 0 ? none : `${countries.join(", ")}${more > 0 ? ` +${more}` : ""}`;
    },
  },
  flags: {
    id: "flags",
    header: "Flags",
    isOptional: true,
    cell: (row) => (row.flags.length === 0 ? none : <AppFlags names={row.flags} />),
  },
  waiting: {
    id: "waiting",
    header: "Waiting since",
    className: "whitespace-nowrap",
    hiddenBelow: "lg",
    sortKey: "waiting",
    cell: ({ waitingSince, isOverdue }) => (
      <TimeAgo at={waitingSince} className={cn("relative z-1", isOverdue && "font-medium text-warn")} />
    ),
  },
  updated: {
    id: "updated",
    header: "Updated",
    className: "whitespace-nowrap",
    hiddenBelow: "lg",
    sortKey: "updated",
    sortsDownFirst: true,
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} className="relative z-1" />,
  },
  uuid: {
    id: "uuid",
    header: "UUID",
    isOptional: true,
    cell: ({ uuid }) => <code className="font-mono text-xs whitespace-nowrap">{uuid}</code>,
  },
} as const satisfies Record<string, DataColumn<ListRow>>;

const { name, state, live, version, platform, category, countries, waiting, updated, uuid } = columns;

export const reviewColumns: readonly DataColumn<ListRow>[] = [
  name,
  columns.news,
  live,
  version,
  { ...platform, isOptional: true },
  { ...category, isOptional: true },
  waiting,
  { ...state, isOptional: true },
  columns.flags,
  { ...updated, isOptional: true },
  countries,
  uuid,
];
export const stateColumns: readonly DataColumn<ListRow>[] = [
  name,
  state,
  live,
  version,
  platform,
  category,
  updated,
  columns.flags,
  countries,
  uuid,
];

function AppFlags({ names }: Readonly<{ names: readonly ListFlag[] }>) {
  return (
    <span className="relative z-1 inline-flex">
      {names.map((flag) => {
        const { icon: Icon, words } = flags[flag];
        return (
          <Tooltip key={flag} text={words}>
            <span tabIndex={0} role="img" aria-label={words} className="grid size-6 place-items-center text-muted">
              <Icon aria-hidden="true" className="size-3.5" />
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}
