import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type AuditFileEvent, auditFileEvent } from "@/lib/platform/audit/schema";
import { Chain, type ChainedEvent } from "@/lib/platform/audit/chain";
import { CommandRefusal, exitCodes, type TerminalReport } from "@/lib/exchange/cli/terminal";

export interface AuditVerifyOptions {
  /** The file `audit-key` of the server's `DATA_DIR`. */
  readonly keyFile?: string | undefined;
  /** A hash noted earlier. Without it, missing events at the end cannot be noticed. */
  readonly head?: string | undefined;
}

/**
 * Checks an export of all events (NDJSON, `gate.md` W11). `key` is from the environment; undefined: it is in a file.
 * Throws CommandRefusal without a key, and for a file that is not an export.
 */
export async function verifyExport(
  file: string,
  options: AuditVerifyOptions,
  key: string | undefined,
): Promise<TerminalReport> {
  const { keyFile, head } = options;
  const secret = keyFile === undefined ? key : (await readFile(keyFile, "utf8")).trim();
  if (secret === undefined) throw new CommandRefusal("--key-file or AUDIT_KEY must give the key of the audit trail");
  // Exports are newest first, but the chain of hashes starts at the oldest event.
  const events = (await readEvents(file)).sort((one, other) => one.id - other.id);
  const chain = new Chain(secret, null);
  let brokenAt: number | null = null;
  for (const event of events) brokenAt ??= chain.follow(toStored(event));
  const hasHead =
    head === undefined || events.some(({ hash, summary }) => hash === head || summary?.hashes.includes(head));
  const data = { is_whole: brokenAt === null && hasHead, event_count: events.length, broken_at: brokenAt };
  const range = `${events.length} events, ${events[0]?.id ?? 0} to ${events.at(-1)?.id ?? 0}`;
  const verdict =
    brokenAt !== null
      ? `Broken at event ${brokenAt}: it was changed, or it is missing, or one before it is`
      : hasHead
        ? "None was changed, and none between them is missing"
        : "The event with the hash that was kept is missing";
  return { data, lines: [`${range}: ${verdict}`], exitCode: data.is_whole ? exitCodes.done : exitCodes.refused };
}

async function readEvents(file: string): Promise<AuditFileEvent[]> {
  const events: AuditFileEvent[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line === "") continue;
    const read = auditFileEvent.safeParse(parse(line));
    if (!read.success)
      throw new CommandRefusal(`${file} is not an activity export in NDJSON (line ${events.length + 1})`);
    events.push(read.data);
  }
  return events;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function toStored(event: AuditFileEvent): ChainedEvent {
  const { id, created_ts, revision, actor, person_id, display_name, display_name_verified, route, request_id } = event;
  const { action, target, before, after, previous_hash, hash, summary } = event;
  return {
    ...{ _id: id, at: new Date(created_ts), revision, actor, personId: person_id, displayName: display_name },
    ...{ isNameVerified: display_name_verified, route, requestId: request_id, action, target, before, after },
    ...{ previousHash: previous_hash, hash, ...(summary && { summary }) },
  };
}
