/* Refusals of releases and histories (`api.md` 0.5); unreadable bodies: `hostile.test.ts`. */
import { withApi, contextOf, requestOf } from "@/test/support/api";
import mongoose from "mongoose";
import { beforeAll, describe, expect, it } from "vitest";
import { readAnswer } from "@/test/support/requests";
import { findRoute, type ValidCall } from "@/test/support/route-calls";

type WrongRequest = readonly [call: ValidCall, status: number, message: string];
/** By `METHOD /path`. */
type WrongRequests = Readonly<Record<string, readonly WrongRequest[]>>;

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

function refuseAll(wrong: WrongRequests): void {
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

withApi();
const huge = 1e21;
const noTime = "must be a time with its zone, e.g. 2026-03-01T06:00:00Z";
const noForm = "items must be family:key, e.g. group:Location-1";
const noList = 'items must be "all" or a list of {family, key, id}';
const notFound = "There is no release 99";
const noNumber = "n must be the number of a release";
const aDay = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
const config = { family: "module_config", key: "-" };
const anApp = { family: "app", key: "nobody" };
const plan = { items: [], digest: "" };
const all = (members: object) => ({ body: { items: "all", ...members } });
const one = (item: unknown) => ({ body: { items: [item] } });

const wrong: WrongRequests = {
  "GET /api/v1/releases": [
    [{ query: "limit=0" }, 400, "limit must be an integer from 1 to 1000"],
    [{ query: "limit=many" }, 400, "limit must be an integer"],
    [{ query: "cursor=1.5" }, 400, "cursor must be an integer"],
    [{ query: `cursor=${"9".repeat(30)}` }, 400, "cursor must be an integer"],
    [{ query: "kind=other" }, 400, "kind must be one of release, direct, return, import, first"],
  ],
  "GET /api/v1/releases/{n}": [
    [{ params: { n: "99" } }, 404, notFound],
    [{ params: { n: "0" } }, 404, "There is no release 0"],
    [{ params: { n: "one" } }, 400, noNumber],
    [{ params: { n: "9".repeat(30) } }, 400, noNumber],
  ],
  "GET /api/v1/releases/{n}/apps": [
    [{ params: { n: "1" }, query: "of=yesterday" }, 400, "of must be one of release, return"],
    [{ params: { n: "1" }, query: "from=-1" }, 400, "from must be an integer from 0 to 1,000,000"],
    [{ params: { n: "99" } }, 404, notFound],
  ],
  "GET /api/v1/releases/{n}/apps/{uuid}": [
    [{ params: { n: "1", uuid: "nobody" } }, 404, "There is no app with this uuid"],
    [{ params: { n: "99", uuid: "nobody" } }, 404, notFound],
  ],
  "GET /api/v1/releases/{n}/diff": [
    [{ params: { n: "1" }, query: "to=tomorrow" }, 400, "to must be the number of a release, production or staging"],
    [{ params: { n: "1" }, query: "to=99" }, 404, notFound],
    [{ params: { n: "99" } }, 404, notFound],
  ],
  "GET /api/v1/releases/{n}/diff/export": [
    [{ params: { n: "99" } }, 404, notFound],
    [{ params: { n: "1" }, query: "format=xml" }, 400, "format must be csv or json"],
  ],
  "GET /api/v1/releases/{n}/report": [[{ params: { n: "99" } }, 404, notFound]],
  "GET /api/v1/releases/changes": [
    [{ query: "items=Location-1" }, 400, noForm],
    [{ query: "items=group:A&items=planet:Earth" }, 400, noForm],
  ],
  "POST /api/v1/releases/changes": [
    [{ body: { items: "Location-1" } }, 400, noForm],
    [{ body: { items: [1] } }, 400, "items must be a text"],
    [{ body: { items: { family: "group" } } }, 400, "items must be a text"],
    [{ body: { items: null } }, 400, "items must be a text"],
  ],
  "GET /api/v1/releases/changes/apps": [
    [{ query: "from=-1" }, 400, "from must be an integer from 0 to 1,000,000"],
    [{ query: "from=many" }, 400, "from must be an integer"],
    [{ query: "items=nothing" }, 400, noForm],
  ],
  "POST /api/v1/releases/changes/apps": [
    [{ body: { from: "1" } }, 400, "from must be an integer from 0 to 1,000,000"],
    [{ body: { from: 1_000_001 } }, 400, "from must be an integer from 0 to 1,000,000"],
  ],
  "GET /api/v1/releases/changes/apps/{uuid}": [
    [{ params: { uuid: "nobody" } }, 404, "There is no app with this uuid"],
    [{ params: { uuid: "x".repeat(256) } }, 400, "uuid must have at most 255 characters"],
  ],
  "POST /api/v1/releases/changes/apps/{uuid}": [
    [{ params: { uuid: "nobody" }, body: {} }, 404, "There is no app with this uuid"],
    [{ params: { uuid: "nobody" }, body: { items: [{}] } }, 400, "items must be a text"],
  ],
  "POST /api/v1/releases": [
    [{ body: {} }, 400, `Give items or plan: ${noList}`],
    [all({ plan }), 400, `Give items or plan: ${noList}`],
    [{ body: { plan: "plan.json" } }, 400, "plan must be what a dry run of an import answered"],
    [{ body: { plan } }, 400, "plan is not as it was made: its digest differs"],
    [{ body: { items: [] } }, 400, "items must name at least one item"],
    [{ body: { items: "some" } }, 400, noList],
    [one("group:A"), 400, "An item must be {family, key, id} (items[0])"],
    [
      one({ family: "planet", key: "A", id: 1 }),
      400,
      "family must be one of message, vehicle_data, group, module_config, app (items[0])",
    ],
    [one({ family: "group", id: 1 }), 400, "key must be a text (items[0])"],
    [one({ family: "group", key: "A" }), 400, "items.0.id must be an integer"],
    [one({ family: "group", key: "A", id: huge }), 400, "items.0.id must be an integer"],
    [one({ family: "group", key: "A", id: "one" }), 400, "items.0.id must be an integer"],
    [
      one({ family: "group", key: "Nobody", id: 1 }),
      400,
      'items names the functional group "Nobody", which does not exist',
    ],
    [one({ family: "app", key: "nobody", id: 1 }), 400, 'items names the app "nobody", which does not exist'],
    [all({ name: 7 }), 400, "name must be a text"],
    [all({ name: "x".repeat(201) }), 400, "name must have at most 200 characters"],
    [all({ note: "x".repeat(10_001) }), 400, "note must have at most 10000 characters"],
    [all({ reason: ["because"] }), 400, "reason must be a text"],
    [all({ force: "perhaps" }), 400, "force must be true or false"],
    [all({ dry_run: "perhaps" }), 400, "dry_run must be true or false"],
    [all({ at: "tomorrow" }), 400, `at ${noTime}`],
    [all({ at: "2026-03-01T06:00:00" }), 400, `at ${noTime}`],
    [all({ at: "2026-02-30T06:00:00Z" }), 400, `at ${noTime}`],
    [all({ at: "2001-03-01T06:00:00Z" }), 400, "at must be in the future"],
    [all({ at: "9999-03-01T06:00:00Z" }), 400, "at is too far ahead: schedule at most 90 days in advance"],
    [all({ at: "2026-03-01" }), 400, `at ${noTime}`],
    [all({ at: "" }), 400, `at ${noTime}`],
    [all({ at: 0 }), 400, `at ${noTime}`],
    [all({ at: {} }), 400, `at ${noTime}`],
  ],
  "POST /api/v1/releases/{n}/return": [
    [{ params: { n: "99" }, body: {} }, 404, notFound],
    [{ params: { n: "1e0" }, body: {} }, 400, noNumber],
    [{ params: { n: "1" }, body: { reason: 7 } }, 400, "reason must be a text"],
    [{ params: { n: "1" }, body: { dry_run: null } }, 400, "dry_run must be true or false"],
    [{ params: { n: "1" }, body: {} }, 409, "Production is already what it was as of release 1"],
  ],
  "PATCH /api/v1/releases/scheduled/{id}": [
    [{ params: { id: "77" }, body: { at: "2099-01-01T00:00:00Z" } }, 404, "There is no scheduled release 77"],
    [{ params: { id: "77" }, body: {} }, 400, `at ${noTime}`],
    [{ params: { id: "901" }, body: {} }, 400, `at ${noTime}`],
    [{ params: { id: "901" }, body: { at: null } }, 400, `at ${noTime}`],
    [{ params: { id: "901" }, body: { at: "2001-03-01T06:00:00Z" } }, 400, "at must be in the future"],
    [{ params: { id: "x" }, body: { at: "2099-01-01T00:00:00Z" } }, 400, "id must be that of a scheduled release"],
  ],
  "DELETE /api/v1/releases/scheduled/{id}": [
    [{ params: { id: "77" } }, 404, "There is no scheduled release 77"],
    [{ params: { id: "-1" } }, 400, "id must be that of a scheduled release"],
  ],
  "PUT /api/v1/releases/freeze": [
    [{ body: {} }, 400, `from ${noTime}`],
    [{ body: aDay }, 400, "reason must be a text, or null to lift the freeze"],
    [{ body: { from: aDay.from, reason: "because" } }, 400, `to ${noTime}`],
    [{ body: { ...aDay, from: "now", reason: "because" } }, 400, `from ${noTime}`],
    [{ body: { from: aDay.to, to: aDay.from, reason: "because" } }, 400, "to must be later than from"],
    [{ body: { ...aDay, reason: " " } }, 400, "reason must say why nothing is published"],
    [{ body: { ...aDay, reason: "x".repeat(501) } }, 400, "reason must have at most 500 characters"],
    [{ body: { from: huge, to: huge, reason: "because" } }, 400, `from ${noTime}`],
  ],
  "GET /api/v1/history/{family}/{key}": [
    [
      { params: { family: "planet", key: "Earth" } },
      400,
      "family must be one of message, vehicle_data, group, module_config, app",
    ],
    [{ params: { family: "group", key: "Nobody" } }, 404, "The functional group Nobody does not exist"],
    [{ params: anApp }, 404, "The app nobody does not exist"],
    [
      { params: { family: "group", key: "Tried-1" }, query: "limit=-1" },
      400,
      "limit must be an integer from 1 to 1000",
    ],
    [{ params: { family: "group", key: "Tried-1" }, query: "cursor=x" }, 400, "cursor must be an integer"],
  ],
  "GET /api/v1/history/{family}/{key}/diff": [
    [{ params: config }, 400, "from must be the id of a version"],
    [{ params: config, query: "from=1" }, 400, "to must be the id of a version"],
    [{ params: config, query: "from=1&to=x" }, 400, "to must be an integer"],
    [{ params: config, query: "from=1&to=77" }, 404, "The module config has no version 77"],
    [{ params: anApp, query: "from=1&to=1" }, 404, "The app nobody has no version 1"],
  ],
  "POST /api/v1/history/{family}/{key}/restore": [
    [{ params: config, body: {} }, 400, "id must be an integer"],
    [{ params: config, body: { id: huge } }, 400, "id must be an integer"],
    [{ params: config, body: { id: [1] } }, 400, "id must be an integer"],
    [{ params: config, body: { id: 1, base_id: "x" } }, 400, "base_id must be an integer"],
    [{ params: config, body: { id: 77 } }, 404, "The module config has no version 77"],
    [
      { params: { family: "group", key: "Nobody" }, body: { id: 1 } },
      404,
      "The functional group Nobody has no version 1",
    ],
    [
      { params: anApp, body: { id: 1 } },
      400,
      "App versions cannot be restored: approve the version on the page of the app",
    ],
  ],
};

refuseAll(wrong);
