import mongoose from "mongoose";
import { type SentCommand, watchCommands } from "@/test/support/database-commands";

export interface SeenQuery {
  readonly collection: string;
  /** A `find` or `aggregate` command; writes appear as the search for what they change. */
  readonly command: Record<string, unknown>;
}

export async function watchQueries(work: () => Promise<unknown>): Promise<readonly SeenQuery[]> {
  const seen = new Map<string, SeenQuery>();
  await watchCommands((sent) => {
    for (const query of readQueries(sent)) seen.set(JSON.stringify(query), query);
  }, work);
  return [...seen.values()];
}

export async function explainStages({ command }: SeenQuery): Promise<string[]> {
  const db = mongoose.connection.db;
  if (db === undefined) throw new Error("There is no connection.");
  return stagesIn(await db.command({ explain: command, verbosity: "queryPlanner" }));
}

export function describeQuery({ command }: SeenQuery): string {
  return JSON.stringify(command);
}

function readQueries({ commandName, command: body }: SentCommand): SeenQuery[] {
  const collection = String(body[commandName]);
  const asFind = (filter: unknown, sort?: unknown): SeenQuery => ({
    collection,
    command: { find: collection, filter: filter ?? {}, ...(sort === undefined ? {} : { sort }) },
  });
  const listOf = (member: string) => (body[member] ?? []) as readonly { readonly q: unknown }[];
  switch (commandName) {
    case "find":
      return [asFind(body.filter, body.sort)];
    case "findAndModify":
      return [asFind(body.query, body.sort)];
    case "aggregate":
      return [{ collection, command: { aggregate: collection, pipeline: body.pipeline, cursor: {} } }];
    case "count":
    case "distinct":
      return [asFind(body.query)];
    case "update":
      return listOf("updates").map(({ q }) => asFind(q));
    case "delete":
      return listOf("deletes").map(({ q }) => asFind(q));
    default:
      return [];
  }
}

function stagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(stagesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    // Rejected plans are irrelevant.
    if (name === "rejectedPlans" || name === "command") return [];
    return name === "stage" && typeof member === "string" ? [member] : stagesIn(member);
  });
}
