import {
  AppWindow,
  ArrowDownUp,
  Braces,
  CarFront,
  ChartColumn,
  Cpu,
  History,
  Info,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  Rocket,
  ShieldCheck,
} from "lucide-react";
import { type RecordKind, recordKinds } from "@/app/_records/kinds";
import type { CountersAnswer } from "@/app/_console/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";

export interface Badge {
  /** Null: a dot. */
  readonly count: number | null;
  readonly words: string;
  readonly href: string;
  readonly tone: "warn" | "bad";
}

export interface ConsoleSection {
  readonly label: string;
  readonly href: string;
  readonly also?: string;
  readonly icon: LucideIcon;
  readonly badges: (counters: CountersAnswer) => readonly Badge[];
}

function listSection(
  { label, section, noun, nouns }: RecordKind,
  {
    count,
    more = () => [],
    ...own
  }: Pick<ConsoleSection, "also" | "icon"> & {
    readonly count: (counters: CountersAnswer) => number;
    readonly more?: ConsoleSection["badges"];
  },
): ConsoleSection {
  const badges = (counters: CountersAnswer): readonly Badge[] => {
    const staged = count(counters);
    const words = `${plural(staged, noun, nouns)} not in production`;
    const href = `${section}?environment=staging&state=modified`;
    return [...(staged === 0 ? [] : [{ count: staged, words, href, tone: "warn" as const }]), ...more(counters)];
  };
  return { label, href: section, badges, ...own };
}

export const consoleSections: readonly ConsoleSection[] = [
  { label: "Overview", href: "/", icon: LayoutDashboard, badges: () => [] },
  {
    label: "Applications",
    href: "/applications",
    icon: AppWindow,
    badges: ({ pending_applications: count }) =>
      count === 0
        ? []
        : [{ count, words: plural(count, "pending application"), href: "/applications?state=review", tone: "warn" }],
  },
  { label: "Policy table", href: "/policytable", icon: Braces, badges: () => [] },
  listSection(recordKinds.groups, {
    also: "/rpcs",
    icon: ShieldCheck,
    count: ({ modified_groups: count }) => count,
    more: ({ unmapped_rpcs: rpcs, unmapped_parameters: parameters }) => unmapped(rpcs, parameters),
  }),
  listSection(recordKinds.messages, {
    icon: MessagesSquare,
    count: ({ modified_messages: count }) => count,
  }),
  listSection(recordKinds.vehicleData, {
    icon: CarFront,
    count: ({ modified_vehicle_data: count }) => count,
  }),
  {
    label: "Module config",
    href: "/moduleconfig",
    icon: Cpu,
    badges: ({ is_module_config_modified: isModified }) =>
      isModified
        ? [
            {
              count: null,
              words: "Saved changes not in production",
              href: "/moduleconfig?environment=staging",
              tone: "warn",
            },
          ]
        : [],
  },
  {
    label: "Releases",
    href: "/releases",
    also: "/changes",
    icon: Rocket,
    badges: ({ waiting_approvals: count }) =>
      count === 0 ? [] : [{ count, words: plural(count, "request") + " to approve", href: "/changes", tone: "warn" }],
  },
  { label: "Fleet", href: "/fleet", icon: ChartColumn, badges: () => [] },
  { label: "Activity", href: "/activity", icon: History, badges: () => [] },
  { label: "Import and export", href: "/exchange", icon: ArrowDownUp, badges: () => [] },
  {
    label: "About",
    href: "/about",
    icon: Info,
    badges: ({ unreadable_applications: apps, failed_tasks: tasks }) => {
      const words = describeDirectoryProblems(apps, tasks);
      return words === "" ? [] : [{ count: apps + tasks, words, href: "/about#directory", tone: "bad" }];
    },
  },
];

/** "148 unreadable apps, 2 failed tasks"; empty if there are none. */
export function describeDirectoryProblems(apps: number, tasks: number): string {
  return [
    ...(apps > 0 ? [plural(apps, "unreadable app")] : []),
    ...(tasks > 0 ? [plural(tasks, "failed task")] : []),
  ].join(", ");
}

function unmapped(rpcs: number, parameters: number): Badge[] {
  const count = rpcs + parameters;
  if (count === 0) return [];
  const words = `${plural(rpcs, "RPC")} and ${plural(parameters, "parameter")} in no functional group in production`;
  return [{ count, words, href: "/functionalgroups?environment=production&panel=unmapped", tone: "bad" }];
}

const withEnvironment = ["/policytable", "/functionalgroups", "/consumermessages", "/vehicledata", "/moduleconfig"];

/**
 * Lists switch `?environment=`; pages of one item only tell it. The policy table's other views choose their own tables.
 */
export function environmentUse(pathname: string, tab: string | null = null): "switch" | "tell" | "none" {
  if (pathname === "/policytable" && tab !== null && tab !== "table") return "none";
  if (withEnvironment.includes(pathname)) return "switch";
  return withEnvironment.some((path) => pathname.startsWith(`${path}/`)) ? "tell" : "none";
}

export function isWithin(pathname: string, { href, also }: Pick<ConsoleSection, "href" | "also">): boolean {
  return [href, also].some((path) => path !== undefined && (pathname === path || pathname.startsWith(`${path}/`)));
}
