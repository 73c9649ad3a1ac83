import mongoose from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { contextOf, requestOf } from "@/test/support/api";
import { readAnswer } from "@/test/support/requests";
import { findRoute, type ValidCall } from "@/test/support/route-calls";

type WrongRequest = readonly [call: ValidCall, status: number, message: string];
/** By `METHOD /path`. */
export type WrongRequests = Readonly<Record<string, readonly WrongRequest[]>>;

/** All stored data, except the sessions that processes write in. */
async function readAll(): Promise<unknown> {
  const collections = await mongoose.connection.listCollections();
  const found = collections
    .filter(({ name }) => name !== "locks")
    .map(async ({ name }): Promise<[string, unknown]> => {
      return [name, await mongoose.connection.collection(name).find({}).sort({ _id: 1 }).toArray()];
    });
  return Object.fromEntries(await Promise.all(found));
}
let before: unknown;

export function refuseAll(wrong: WrongRequests): void {
  beforeAll(async () => {
    before = await readAll();
  });
  describe.each(Object.entries(wrong))("%s", refuse);
}

function refuse(name: string, rows: readonly WrongRequest[]): void {
  const titled = rows.map(([call, ...rest]) => [JSON.stringify(call).slice(0, 100), call, ...rest] as const);
  it.each(titled)("%s is refused with what is wrong", async (_, call, status, message) => {
    const route = findRoute(name);
    const { meta } = await readAnswer(await route.handler(requestOf(route, call), contextOf(call)));
    expect([meta.code, meta.message]).toEqual([status, message]);
  });

  it("nothing was written by any of them", async () => expect(await readAll()).toEqual(before));
}
