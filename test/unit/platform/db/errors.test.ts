import { MongoNetworkError, MongoNotConnectedError, MongoServerError, MongoServerSelectionError } from "mongodb";
import { describe, expect, it } from "vitest";
import { DatabaseUnavailable, isUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import { noteWriteRefusal, writeRefusal } from "@/lib/platform/db/connection/write-refusal";
import { toAppError } from "@/app/_api/answer-request";

const selection = new MongoServerSelectionError("connect ECONNREFUSED 10.0.0.7:27017", {} as never);

describe("errors that mean the database is out of reach", () => {
  it.each([
    ["no server", selection],
    ["broken connection", new MongoNetworkError("connection 3 to 10.0.0.7:27017 closed")],
    ["closed client", new MongoNotConnectedError("Client must be connected")],
    ["no primary", new MongoServerError({ message: "not primary", code: 10107 })],
    ["a socket that ended", Object.assign(new Error("This socket has been ended"), { code: "EPIPE" })],
    ["already translated", new DatabaseUnavailable("The database cannot be reached.")],
    [
      "never connected",
      new Error("Cannot call `a.findOne()` before initial connection is complete if `bufferCommands = false`."),
    ],
  ])("%s", (_, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(toDatabaseError(error)).toBeInstanceOf(DatabaseUnavailable);
  });

  it("do not tell where the database is, but keep the cause for the log", () => {
    const error = toDatabaseError(selection);
    expect(String(error)).not.toContain("10.0.0.7");
    expect(error).toMatchObject({ cause: selection });
  });
});

it.each([
  ["duplicate key", new MongoServerError({ message: "E11000", code: 11000 })],
  ["a bug", new TypeError("x is not a function")],
  ["no error at all", "text"],
])("other errors: stay what they are: %s", (_, error) => {
  expect(isUnavailable(error)).toBe(false);
  expect(toDatabaseError(error)).toBe(error);
});

it.each([
  [14031, /^The disk of the database is full/],
  [39, /^The database cannot write to its disk/],
  [38, /^A file of the database was deleted, moved or replaced/], // F3
])(
  "finding C2: no writes (%i) are unavailable, with a sentence for the caller and nothing of the driver's",
  (code, sentence) => {
    const cause = new MongoServerError({ message: "ENOSPC: no space left on device, write", code });
    expect(isUnavailable(cause)).toBe(true);
    const error = toDatabaseError(cause);
    expect(error).toMatchObject({ name: "DatabaseUnavailable", cause, sentence: expect.stringMatching(sentence) });
    expect(writeRefusal()).toMatch(sentence);
    const answer = toAppError(cause);
    expect(answer).toMatchObject({ status: 503, headers: { "Retry-After": "5" } });
    expect(answer.message).toMatch(sentence);
    noteWriteRefusal(null);
  },
);
