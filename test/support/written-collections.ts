import { subscribe } from "node:diagnostics_channel";
import type { CommandStartedEvent, MongoClient } from "mongodb";
import mongoose from "mongoose";

/** Commands that change the one collection that they name. */
const writing = new Set(["insert", "update", "delete", "findAndModify"]);
/** Commands that change what emptying does not restore. */
const structural = /^(create|drop|rename|collMod|bulkWrite)/;

let watched: MongoClient | null = null;
/** Whether anything may have changed, for now, and for the rest of the test file. */
let isUnknown = true;
let isShared = false;
const collections = new Set<string>();

function note({ commandName, command }: CommandStartedEvent): void {
  if (writing.has(commandName)) collections.add(String(command[commandName]));
  if (structural.test(commandName)) isUnknown = true;
}

// Other processes may write as well.
subscribe("child_process", () => {
  isShared = true;
});

/** At the start of a test file: nobody else knows its database. */
export function forgetWriters(): void {
  isShared = false;
  isUnknown = true;
}

/** Begins to note the collections that this process writes to. Call it while the database is empty. */
export function watchWrites(): void {
  const client = mongoose.connection.getClient();
  watched?.off("commandStarted", note);
  watched = client.on("commandStarted", note);
  collections.clear();
  isUnknown = !client.options.monitorCommands;
}

/** Those collections; null: unknown, because another connection or process may have written as well. */
export function writtenCollections(): ReadonlySet<string> | null {
  return watched === mongoose.connection.getClient() && !isUnknown && !isShared ? collections : null;
}
