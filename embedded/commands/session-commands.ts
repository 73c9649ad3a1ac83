import { DatabaseError } from "../errors";
import { sessionKeyOf } from "../sessions";
import { maxDocumentBytes } from "../values/bson-bytes";
import { isList, toNumber } from "../values/values";
import type { Command, CommandContext, Reply } from "./context";

/** MongoDB 7.0 uses wire version 21. From 25 on, drivers expect commands that this server lacks. */
const wireVersion = 21;
const version = "7.0.14";
const replicaSet = "embedded";

/** Presents the server as a primary of a replica set, so that drivers allow sessions and transactions. */
function hello({ address, connectionId }: CommandContext): Reply {
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    setName: replicaSet,
    hosts: [address],
    primary: address,
    me: address,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
  };
}

function buildInfo(): Reply {
  return {
    version,
    versionArray: [...version.split(".").map(Number), 0],
    maxBsonObjectSize: maxDocumentBytes,
  };
}

function endSessions({ command, sessions, cursors, name }: CommandContext): Reply {
  for (const lsid of isList(command[name]) ? command[name] : []) {
    const key = sessionKeyOf(lsid);
    if (key === null) continue;
    // A killed session can be used again, and knows the outcome of its last transaction.
    if (name === "endSessions") sessions.endSession(key);
    else sessions.abortOpen(key);
    cursors.killOfSession(key);
  }
  return {};
}

function requireTransaction({ command, sessionKey, name }: CommandContext): { key: string; number: number } {
  if (command.autocommit !== false || sessionKey === null) {
    throw new DatabaseError(125, `${name} must be run within a transaction`);
  }
  return { key: sessionKey, number: toNumber(command.txnNumber) };
}

async function commitTransaction(context: CommandContext): Promise<Reply> {
  const { key, number } = requireTransaction(context);
  await context.sessions.commit(key, number);
  return {};
}

function abortTransaction(context: CommandContext): Reply {
  const { key, number } = requireTransaction(context);
  context.sessions.abort(key, number);
  return {};
}

/** Drivers list all their features here, and don't use those missing from the reply. */
const helloCommand: Command = { fields: null, run: hello };

export const sessionCommands: Readonly<Record<string, Command>> = {
  hello: helloCommand,
  ismaster: helloCommand,
  ping: { fields: [], run: () => ({}) },
  buildInfo: { fields: [], run: buildInfo },
  endSessions: { fields: [], run: endSessions },
  killSessions: { fields: [], run: endSessions },
  commitTransaction: { fields: ["recoveryToken"], inTransaction: true, run: commitTransaction },
  abortTransaction: { fields: ["recoveryToken"], inTransaction: true, run: abortTransaction },
};
