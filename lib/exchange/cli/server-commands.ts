import { type Command, Option } from "commander";
import type { z } from "zod";
import type { Api, CommonOptions } from "@/lib/exchange/cli/api";
import { describeItems } from "@/lib/exchange/cli/releases";
import { describeRollout, showStatus } from "@/lib/exchange/cli/status";
import { align, exitCodes, tabulate, type TerminalReport } from "@/lib/exchange/cli/terminal";
import { auditAnswer, verdictAnswer } from "@/lib/platform/audit/schema";
import { longestTokenDays, tokenMadeAnswer, tokensAnswer, usualTokenDays } from "@/lib/platform/auth/schema";
import {
  approvalAnswer,
  approvalsAnswer,
  type AuthorJson,
  freezeAnswer,
  releaseAnswer,
  releasesAnswer,
  rolloutAnswer,
  scheduledAnswer,
} from "@/lib/releases/answer-schema";
import { pickMembers } from "@/lib/vocabulary/members";
import { releaseKinds } from "@/lib/vocabulary/release-items";
import { roles } from "@/lib/vocabulary/roles";
import { describeSteps } from "@/lib/vocabulary/rollouts";

/** How `program.ts` makes commands that ask a server. */
interface Making {
  readonly releases: Command;
  readonly topic: (name: string, description: string) => Command;
  readonly connected: (name: string, description: string, parent?: Command) => Command;
  readonly asking: <Options>(
    run: (api: Api, options: Options) => Promise<TerminalReport>,
  ) => (options: Options & CommonOptions) => Promise<void>;
  readonly askingAbout: <Argument, Options>(
    run: (api: Api, argument: Argument, options: Options) => Promise<TerminalReport>,
  ) => (argument: Argument, options: Options & CommonOptions) => Promise<void>;
  readonly parseNumber: (text: string) => number;
}

/** Commands for one route each: what it is asked, and how people read the answer. `--json` prints the answer as it is. */
export function addServerCommands({ releases, topic, connected, asking, askingAbout, parseNumber }: Making): void {
  const ofId = (name: string, description: string, parent: Command, what: string) =>
    connected(name, description, parent).argument("<id>", what, parseNumber);

  connected("status", "show health, revision, tasks and what waits; exit code 5 if something needs a person").action(
    asking((api) => showStatus(api)),
  );

  connected("list", "list releases, newest first", releases)
    .option("--limit <number>", "at most this many", parseNumber, 20)
    .addOption(new Option("--kind <kind>", "only this kind").choices(releaseKinds))
    .action(
      asking((api, { limit, kind }: { limit: number; kind?: string }) =>
        shown(api.ask("/releases", { query: { limit, kind } }), releasesAnswer, (answer) =>
          tabulate(
            ["RELEASE", "AT", "KIND", "ITEMS", "BY", "NAME"],
            answer.releases.map(({ number, at, kind: made, item_count: items, author, name }) => {
              return [String(number), at, made, String(items), nameOf(author), name ?? ""];
            }),
            "No releases",
          ),
        ),
      ),
    );
  ofId("show", "show what a release changed, who published it, and why", releases, "number of the release").action(
    askingAbout((api, number: number) =>
      shown(api.ask(`/releases/${number}`), releaseAnswer, ({ release }) => [
        ...align([
          ["Release", `${release.number}${release.name === null ? "" : `: ${release.name}`}`],
          ["Published", `${release.at} by ${nameOf(release.author)}`],
          ["Kind", release.returned_to === null ? release.kind : `${release.kind} to release ${release.returned_to}`],
          ...(release.approved_by === null ? [] : [["Approved", `by ${nameOf(release.approved_by)}`]]),
          ...(release.note === null ? [] : [["Note", release.note]]),
          ...(release.reason === null ? [] : [["Reason", release.reason]]),
        ]),
        ...describeItems({ items: release.items, checks: release.findings }),
      ]),
    ),
  );

  const schedule = topic("schedule", "list, move and cancel scheduled releases; publish --at adds one");
  const scheduleLines = ({ scheduled }: z.infer<typeof scheduledAnswer>) =>
    tabulate(
      ["ID", "AT", "STATE", "ITEMS", "BY", "NAME"],
      scheduled.map(({ id, at, state, stopped_because: reason, items, author, name }) => {
        const told = reason === null ? state : `${state}: ${reason}`;
        return [String(id), at, told, String(items.length), nameOf(author), name ?? ""];
      }),
      "Nothing is scheduled",
    );
  connected("list", "list scheduled releases, and stopped ones with the reason", schedule).action(
    asking((api) => shown(api.ask("/releases/scheduled"), scheduledAnswer, scheduleLines)),
  );
  ofId("move", "publish at another time; a stopped one becomes active again", schedule, "id of a scheduled release")
    .requiredOption("--at <time>", "e.g. 2026-03-01T06:00:00Z")
    .action(
      askingAbout((api, id: number, { at }: { at: string }) =>
        shown(api.ask(`/releases/scheduled/${id}`, { method: "PATCH", body: { at } }), scheduledAnswer, scheduleLines),
      ),
    );
  ofId("cancel", "cancel a scheduled release", schedule, "id of a scheduled release").action(
    askingAbout((api, id: number) =>
      done(api.ask(`/releases/scheduled/${id}`, { method: "DELETE" }), `Scheduled release ${id} is cancelled`),
    ),
  );

  const freeze = topic("freeze", "show, set and lift the publishing freeze");
  const freezeLines = ({ freeze: set }: z.infer<typeof freezeAnswer>) =>
    set === null
      ? ["No freeze"]
      : [`${set.is_active ? "Active" : "Not active"}: ${set.from} to ${set.to}: ${set.reason}`];
  connected("show", "show its times and reason", freeze).action(
    asking((api) => shown(api.ask("/releases/freeze"), freezeAnswer, freezeLines)),
  );
  const putFreeze = (api: Api, body: object) =>
    shown(api.ask("/releases/freeze", { method: "PUT", body }), freezeAnswer, freezeLines);
  connected("set", "let nobody publish for a time", freeze)
    .requiredOption("--from <time>", "e.g. 2026-12-20T00:00:00Z")
    .requiredOption("--to <time>", "e.g. 2027-01-07T00:00:00Z")
    .requiredOption("--reason <text>", "why; everybody sees it")
    .action(
      asking((api, { from, to, reason }: { from: string; to: string; reason: string }) =>
        putFreeze(api, { from, to, reason }),
      ),
    );
  connected("lift", "end it", freeze).action(asking((api) => putFreeze(api, { reason: null })));

  const approvals = topic(
    "approvals",
    "list, show and reject what waits for a second person, who approves in the console",
  );
  connected("list", "list requests for approval", approvals).action(
    asking((api) =>
      shown(api.ask("/releases/approvals"), approvalsAnswer, (answer) =>
        tabulate(
          ["ID", "SINCE", "BY", "CHANGE", "STATE"],
          answer.approvals.map(({ id, asked_at: since, author, title, ...one }) => {
            const state = one.rejected === null ? (one.void_because ?? "waits") : `rejected: ${one.rejected.reason}`;
            return [String(id), since, nameOf(author), title, state];
          }),
          "Nothing waits for approval",
        ),
      ),
    ),
  );
  const request = "id of a request for approval";
  ofId("show", "show what it would do", approvals, request).action(
    askingAbout((api, id: number) =>
      shown(api.ask(`/releases/approvals/${id}`), approvalAnswer, ({ approval, ...changes }) => [
        `${approval.title}, asked for by ${nameOf(approval.author)} at ${approval.asked_at}`,
        ...describeItems(changes),
        `Approve it at ${api.server}${approval.path}`,
      ]),
    ),
  );
  ofId("reject", "reject it", approvals, request)
    .requiredOption("--reason <text>", "why")
    .action(
      askingAbout((api, id: number, { reason }: { reason: string }) =>
        done(api.ask(`/releases/approvals/${id}/reject`, { method: "POST", body: { reason } }), "Rejected"),
      ),
    );
  ofId("withdraw", "withdraw your own request", approvals, request).action(
    askingAbout((api, id: number) => done(api.ask(`/releases/approvals/${id}`, { method: "DELETE" }), "Withdrawn")),
  );

  const rollout = topic("rollout", "show and steer the release that some vehicles get first");
  const rolloutLines = ({ rollout: current }: z.infer<typeof rolloutAnswer>) =>
    current === null
      ? ["No rollout"]
      : align([
          ["Rollout", describeRollout(current)],
          ["Steps", describeSteps(current.steps)],
        ]);
  connected("show", "show where it stands", rollout).action(
    asking((api) => shown(api.ask("/rollouts/current"), rolloutAnswer, rolloutLines)),
  );
  for (const [name, description] of [
    ["pause", "no further vehicle gets the release until it is resumed"],
    ["resume", "go on after a pause"],
    ["advance", "begin the next step now"],
    ["finish", "all vehicles get the release"],
    ["cancel", "call it off: production is rolled back for all vehicles"],
  ] as const) {
    connected(name, description, rollout).action(
      asking((api) => shown(api.ask(`/rollouts/current/${name}`, { method: "POST" }), rolloutAnswer, rolloutLines)),
    );
  }

  const audit = topic("audit", "list, export and verify the audit trail");
  const filtered = (made: Command) =>
    made
      .option("--from <time>", "since this time or day")
      .option("--to <time>", "before this time, or until this day")
      .option("--person <name>", "who did it")
      .option("--action <verb>", "e.g. releases.publish, or releases")
      .option("--item <text>", "a part of what it was done to")
      .option("--release <number>", "part of this release", parseNumber);
  filtered(connected("list", "list who changed what, newest first", audit))
    .option("--limit <number>", "at most this many", parseNumber, 20)
    .action(
      asking((api, options: AuditOptions & { limit: number }) =>
        shown(api.ask("/audit", { query: auditQueryOf(options) }), auditAnswer, ({ events }) =>
          tabulate(
            ["ID", "AT", "BY", "ACTION", "TARGET"],
            events.map((event) => {
              const by = event.display_name ?? event.actor;
              return [String(event.id), event.created_ts, by, event.action, event.target];
            }),
            "No events",
          ),
        ),
      ),
    );
  filtered(connected("export", "write events to a file that ends in .csv or .ndjson", audit))
    .argument("<file>", "the file to be written")
    .action(
      askingAbout(async (api, file: string, options: AuditOptions) => {
        const format = file.toLowerCase().endsWith(".ndjson") ? "ndjson" : "csv";
        await api.download("/audit/export", file, { ...auditQueryOf(options), format });
        return { data: { file }, lines: [file] };
      }),
    );
  connected("verify", "check that no event was changed or is missing; exit code 1 if not", audit)
    .option("--head <hash>", "the hash of an event that must be among them")
    .action(
      asking(async (api, { head }: { head?: string }) => {
        const data = verdictAnswer.parse(await api.ask("/audit/verify", { query: { head } }));
        const verdict = data.is_whole ? "whole" : `broken at event ${data.broken_at ?? "of the given hash"}`;
        const lines = [`${data.event_count} events: ${verdict}`, `Head: ${data.head ?? "none"}`];
        return { data, lines, exitCode: data.is_whole ? exitCodes.done : exitCodes.refused };
      }),
    );

  const tokens = topic("tokens", "list, create and revoke API tokens");
  connected("list", "list tokens, without their secrets", tokens).action(
    asking((api) =>
      shown(api.ask("/tokens"), tokensAnswer, (answer) =>
        tabulate(
          ["ID", "NAME", "ROLE", "BEGINS WITH", "EXPIRES", "LAST USED"],
          answer.tokens.map(
            ({ id, name, role, prefix, expires_ts: expires, is_expired: isExpired, last_used_ts: used }) => {
              const end = expires === null ? "never" : `${expires}${isExpired ? " (expired)" : ""}`;
              return [String(id), name, role, `ops_${prefix}`, end, used ?? "never"];
            },
          ),
          "No tokens",
        ),
      ),
    ),
  );
  connected("create", "create a token and print it alone; it is shown only this once", tokens)
    .requiredOption("--name <text>", "what it is for")
    .addOption(new Option("--role <role>", "what it may do").choices(roles).makeOptionMandatory())
    .option("--expires-in-days <days>", `1 to ${longestTokenDays}`, parseNumber, usualTokenDays)
    .option("--never-expires", "valid until somebody revokes it")
    .action(
      asking((api, { name, role, expiresInDays, neverExpires }: TokenOptions) => {
        const body = { name, role, expires_in_days: neverExpires === true ? null : expiresInDays };
        return shown(api.ask("/tokens", { method: "POST", body }), tokenMadeAnswer, ({ token }) => [token]);
      }),
    );
  ofId("revoke", "revoke a token", tokens, "id of the token").action(
    askingAbout((api, id: number) => done(api.ask(`/tokens/${id}`, { method: "DELETE" }), `Token ${id} is revoked`)),
  );
}

interface TokenOptions {
  readonly name: string;
  readonly role: string;
  readonly expiresInDays: number;
  readonly neverExpires?: boolean;
}

const auditFilters = ["from", "to", "person", "action", "item", "release", "limit"] as const;
type AuditOptions = Readonly<Partial<Record<(typeof auditFilters)[number], string | number>>>;

/** Without the options of every command. */
const auditQueryOf = (options: AuditOptions) => pickMembers(options, auditFilters);

async function shown<Data>(
  asked: Promise<unknown>,
  answer: z.ZodType<Data>,
  describe: (data: Data) => readonly string[],
): Promise<TerminalReport> {
  const data = await asked;
  return { data, lines: describe(answer.parse(data)) };
}

const done = async (asked: Promise<unknown>, line: string): Promise<TerminalReport> => ({
  data: await asked,
  lines: [line],
});

const nameOf = (author: AuthorJson | null) => author?.display_name ?? author?.actor ?? "the server";
