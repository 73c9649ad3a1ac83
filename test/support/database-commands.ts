import { subscribe } from "node:diagnostics_channel";
import { Connection, type WritingConnection } from "mongodb/lib/cmap/connection.js";

export interface SentCommand {
  readonly commandName: string;
  readonly command: Record<string, unknown>;
}

const watchers = new Set<(sent: SentCommand) => void>();
const write = Connection.prototype.writeCommand;
// With its own events, the driver would read every answer twice.
Connection.prototype.writeCommand = function (this: WritingConnection, message: unknown, options: unknown) {
  const { command = {} } = message as { readonly command?: Record<string, unknown> };
  const [commandName = ""] = Object.keys(command);
  for (const watcher of watchers) watcher({ commandName, command });
  return write.call(this, message, options);
};

export async function watchCommands<T>(watcher: (sent: SentCommand) => void, work: () => Promise<T>): Promise<T> {
  const note = ({ commandName, command }: SentCommand) => watcher({ commandName, command: withLists(command) });
  watchers.add(note);
  try {
    return await work();
  } finally {
    watchers.delete(note);
  }
}

/** The documents of a bulk write are sent beside the command. */
function withLists(command: Record<string, unknown>): Record<string, unknown> {
  const listOf = (value: unknown) =>
    typeof value === "object" && value !== null && "documents" in value ? value.documents : value;
  return Object.fromEntries(Object.entries(command).map(([name, value]) => [name, listOf(value)]));
}

const writing = new Set(["insert", "update", "delete", "findAndModify"]);
/** Commands that change what emptying does not restore. */
const structural = /^(create|drop|rename|collMod|bulkWrite)/;

const written = new Set<string>();
let isUnknown = true;
let isShared = false;

watchers.add(({ commandName, command }) => {
  if (writing.has(commandName)) written.add(String(command[commandName]));
  if (structural.test(commandName)) isUnknown = true;
});
// Other processes may write as well.
subscribe("child_process", () => {
  isShared = true;
});

/** At the start of a test file: nobody else knows its database. */
export function forgetWriters(): void {
  isShared = false;
  isUnknown = true;
}

/** Begins to note the collections that are written to. Call it while the database is empty. */
export function noteWrites(): void {
  written.clear();
  isUnknown = false;
}

/** Those collections; null: unknown, because another process may have written as well, or more than documents changed. */
export function writtenCollections(): ReadonlySet<string> | null {
  return isUnknown || isShared ? null : written;
}
