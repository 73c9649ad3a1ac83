import { z } from "zod";
import type { Api } from "@/lib/exchange/cli/api";
import { align, CommandRefusal, exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { freezeAnswer, rolloutAnswer } from "@/lib/releases/answer-schema";
import { plural } from "@/lib/vocabulary/format-number";

/* What is shown of the answers, whose schemas belong to pages of the console. */

const readiness = z.object({ state: z.string() });
const about = z.object({
  current_version: z.string(),
  database: z.string(),
  directory: z.object({
    tasks: z.array(z.object({ name: z.string(), state: z.string(), last_error: nullableText })).nullable(),
  }),
  policy: z.object({ revision: z.int().nullable(), served_revision: z.int().nullable() }),
});
const waiting = z.object({ kind: z.string(), count: z.int(), path: z.string(), detail: nullableText });
const overview = z.object({ waiting: z.array(waiting), ...rolloutAnswer.shape });

/** Kinds of what waits that are the daily course of things; everything else needs a person. */
const routine: ReadonlySet<string> = new Set(["changes", "unmapped_permissions", "scheduled_releases"]);

/** Health, revision, tasks, rollout, freeze and what waits, on one screen. Exit code 5 if something needs a person. */
export async function showStatus(api: Api): Promise<TerminalReport> {
  const { state } = readiness.parse(await api.readiness());
  const described = await api.ask("/about");
  const server = about.parse(described);
  const [shown, stored] = await Promise.all([
    orNull(overview, api.ask("/ui/overview")),
    orNull(freezeAnswer, api.ask("/releases/freeze")),
  ]);
  const { tasks } = server.directory;
  const hasDatabase = tasks !== null && shown !== null;
  const [rollout, freeze, found] = [shown?.rollout ?? null, stored?.freeze ?? null, shown?.waiting ?? []];
  const urgent = found.filter(({ kind }) => !routine.has(kind));
  const needsPerson = state !== "ready" || !hasDatabase || rollout?.state === "paused" || urgent.length > 0;
  const facts = [
    ["Server", `${api.server}, version ${server.current_version}: ${state}`],
    ["Policy", describePolicy(server.policy)],
    ["Database", hasDatabase ? server.database : `${server.database}: cannot be reached`],
    ["Tasks", describeTasks(tasks)],
    ["Rollout", describeRollout(rollout)],
    ["Freeze", freeze === null ? "none" : `${freeze.from} to ${freeze.to}: ${freeze.reason}`],
    [
      "Waiting",
      found.length === 0 ? "nothing" : `${urgent.length} of ${plural(found.length, "kind")} need a person (!)`,
    ],
  ];
  const rows = found.map(({ kind, count, path, detail }) => {
    return [routine.has(kind) ? " " : "!", String(count), kind.replaceAll("_", " "), path, detail ?? ""];
  });
  return {
    data: { needs_person: needsPerson, state, about: described, rollout, freeze, waiting: found },
    lines: [...align(facts), ...align(rows)],
    exitCode: needsPerson ? exitCodes.attention : exitCodes.done,
  };
}

/** Null without a database. Throws CommandRefusal for everything else. */
async function orNull<T>(answer: z.ZodType<T>, asked: Promise<unknown>): Promise<T | null> {
  try {
    return answer.parse(await asked);
  } catch (error) {
    if (error instanceof CommandRefusal && error.exitCode === exitCodes.unavailable) return null;
    throw error;
  }
}

function describePolicy({ revision, served_revision: served }: z.infer<typeof about>["policy"]): string {
  if (revision === null) return "none";
  return `revision ${revision}${served === null || served === revision ? "" : `, vehicle workers serve ${served}`}`;
}

function describeTasks(tasks: z.infer<typeof about>["directory"]["tasks"]): string {
  if (tasks === null) return "not known";
  const failed = tasks.filter(({ state }) => state === "failed");
  const names = failed.map(({ name, last_error: reason }) => `${name} (${reason ?? "unknown reason"})`);
  return (
    [plural(tasks.length, "task"), `${failed.length} failed`].join(", ") +
    (names.length > 0 ? `: ${names.join(", ")}` : "")
  );
}

/** "release 7, running: 10 % of vehicles, next step at …" */
export function describeRollout(rollout: z.infer<typeof rolloutAnswer>["rollout"]): string {
  if (rollout === null) return "none";
  const { release, state, percent, next_at: next, paused_because: reason } = rollout;
  const rest = {
    running: `, next step ${next === null ? "when somebody goes on" : `at ${next}`}`,
    paused: `, ${reason ?? "by a person"}`,
    finished: "",
    cancelled: "",
  }[state];
  return `release ${release}, ${state}: ${percent} % of vehicles${rest}`;
}
