import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent, MongoClient } from "mongodb";
import { currentSpan, beginSpan, type Span, watchesDatabase } from "@/lib/platform/traces/traces";

/** Of one request or task so many commands become spans: a first synchronisation has tens of thousands. */
const maxOfOne = 500;
/** Commands that have not ended; a client that is dropped may forget some. */
const maxOpen = 1_000;

/** The driver's options for `traceCommands`: it copies every answer for that, so only with traces. */
export const monitoring = () => (watchesDatabase() ? { monitorCommands: true } : {});

const begun = new WeakMap<Span, number>();

/** Makes spans of database commands within a span (`docs/traces.md`): name, collection and duration, never values. */
export function traceCommands(client: MongoClient): void {
  if (!watchesDatabase()) return;
  const open = new Map<string, Span>();
  const end = (event: CommandSucceededEvent | CommandFailedEvent, error?: unknown) => {
    const span = open.get(keyOf(event));
    open.delete(keyOf(event));
    if (error instanceof Error) span?.set({ "error.type": error.name });
    span?.end(error !== undefined);
  };
  client.on("commandStarted", (event: CommandStartedEvent) => {
    const parent = currentSpan();
    if (parent === null || open.size >= maxOpen || !isCounted(parent)) return;
    const span = beginSpan(`${event.commandName} ${collectionOf(event) ?? event.databaseName}`, {
      kind: "client",
      parent,
      attributes: describe(event),
    });
    if (span !== null) open.set(keyOf(event), span);
  });
  client.on("commandSucceeded", (event) => end(event));
  client.on("commandFailed", (event) => end(event, event.failure));
}

function isCounted(parent: Span): boolean {
  const count = (begun.get(parent) ?? 0) + 1;
  begun.set(parent, count);
  if (count <= maxOfOne) return true;
  parent.set({ "policy.commands_left_out": count - maxOfOne });
  return false;
}

const keyOf = ({
  address,
  connectionId,
  requestId,
}: Pick<CommandStartedEvent, "address" | "connectionId" | "requestId">) =>
  `${address} ${String(connectionId)} ${requestId}`;

/** `{ find: "apps", … }`, `{ getMore: 5, collection: "apps", … }`; commands of the server have none. */
function collectionOf({ command, commandName }: CommandStartedEvent): string | null {
  const named: unknown = commandName === "getMore" ? command.collection : command[commandName];
  return typeof named === "string" ? named : null;
}

function describe(event: CommandStartedEvent) {
  const collection = collectionOf(event);
  return {
    "db.system.name": "mongodb",
    "db.namespace": event.databaseName,
    "db.operation.name": event.commandName,
    ...(collection !== null && { "db.collection.name": collection }),
  };
}
