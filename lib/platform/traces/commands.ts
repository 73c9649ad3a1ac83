"one per process";

import type { CommandFailedEvent, CommandStartedEvent, CommandSucceededEvent, MongoClient } from "mongodb";
import { currentSpan, beginSpan, type Span, watchesDatabase } from "@/lib/platform/traces/traces";

/** Maximum number of spans per request or task: a first synchronization has tens of thousands of commands. */
const maxOfOne = 500;
/** Maximum number of unfinished commands; a dropped client may forget some. */
const maxOpen = 1_000;

/** Driver options for `traceCommands`. The driver then copies every reply, so they are set only with traces. */
export const monitoring = () => (watchesDatabase() ? { monitorCommands: true } : {});

const begun = new WeakMap<Span, number>();

/** Creates spans for database commands within a span (`docs/traces.md`): name, collection and duration, never values. */
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
