/**
 * A server with five families, called through its routes: prints the response of each step as one line of JSON.
 * Arguments: connection string, database name. Runs with `--conditions=react-server`, like server-only modules.
 */
import { soundFamily, soundSource, soundTable } from "@/test/support/fifth-family/family";
import "@/lib/gate/gate";
import { pathOfTarget } from "@/app/(console)/activity/event-labels";
import * as audit from "@/app/api/v1/audit/route";
import * as exchange from "@/app/api/v1/exchange/route";
import * as history from "@/app/api/v1/history/[family]/[key]/route";
import * as restoring from "@/app/api/v1/history/[family]/[key]/restore/route";
import * as changes from "@/app/api/v1/releases/changes/route";
import * as returning from "@/app/api/v1/releases/[n]/return/route";
import * as releases from "@/app/api/v1/releases/route";
import * as counters from "@/app/api/v1/ui/counters/route";
import * as search from "@/app/api/v1/ui/search/route";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { isAppError } from "@/lib/platform/errors";
import { listFiles } from "@/lib/exchange/folder";
import { saveRecords } from "@/lib/content/records/commands";
import { exportRecords } from "@/lib/content/records/export";
import { findLastContent, listNames, listRecords, loadVisible } from "@/lib/content/records/queries";
import { promoteRecords } from "@/lib/gate/publish/promote";
import type { RouteHandler } from "@/lib/routes/route";
import { itemAddress } from "@/lib/labels/release-items";
import { aRequest, readAnswer } from "@/test/support/requests";

const [uri = "", dbName = ""] = process.argv.slice(2);
const writer = { actor: "admin", route: "test", requestId: null };
const gong = { family: "sound" as "group", key: "gong" };

async function ask(handler: RouteHandler, query: string, body?: object, params: object = {}) {
  const request = aRequest(`/api/v1/x${query}`, body === undefined ? {} : { body });
  const { meta, data } = await readAnswer(await handler(request, { params: Promise.resolve(params) }));
  return meta.message === null ? data : { message: meta.message, data };
}

async function save(name: string, volume: number, baseId: number | null = null, isDeleted = false): Promise<number> {
  const content = { name, volume, isDeleted };
  const edits = [{ content, baseId, submitted: () => Promise.resolve(content) }];
  return (await saveRecords(soundFamily, edits, writer)).records[0]?.id ?? 0;
}
const shown = async (environment: "staging" | "production") =>
  (await loadVisible(soundSource, environment)).map(({ name, volume }) => [name, volume]);
const promote = () => promoteRecords([{ family: soundFamily }], { force: false }, writer);
const insist = { force: true, reason: "a test" };

const answers: Record<string, unknown> = {};
await connect({ uri, dbName });
const first = await save("gong", 1);
answers.conflict = await save("gong", 9, first + 7).catch((error: unknown) => isAppError(error) && error.message);
answers.review = await ask(changes.GET, "");
answers.counters = await ask(counters.GET, "");
answers.published = await ask(releases.POST, "", { items: [{ ...gong, id: first }], name: "Sounds", ...insist });
await save("gong", 5);
answers.restored = await ask(restoring.POST, "", { id: first }, gong);
answers.history = await ask(history.GET, "?limit=10", undefined, gong);
const document = {
  format: "open-policy/1",
  sounds: [
    { name: "gong", volume: 1 },
    { name: "Bell", volume: 2 },
  ],
};
answers.imported = await ask(exchange.POST, "", { document });
const { document: exported } = await ask(exchange.GET, "?environment=staging");
answers.exported = exported.sounds;
answers.files = [...listFiles(exported).keys()].filter((file) => file.startsWith("sounds/"));
answers.search = (await ask(search.GET, "?q=bel")).records;
const page = await listRecords(soundSource, { environment: "staging", sort: "name", limit: 1 });
const rest = await listRecords(soundSource, {
  ...{ environment: "staging", sort: "name", limit: 2 },
  cursor: page.nextCursor ?? undefined,
});
answers.list = [page.items, rest.items].map((items) => items.map(({ name }) => name));
answers.names = await listNames(soundSource);
const table = await exportRecords(
  soundTable,
  await loadVisible(soundSource, "staging"),
  { format: "csv", environment: "staging" },
  new Date(0),
);
answers.table = [table.file.name, await new Response(table.data.toBody("", "", "x")).text()];
await promote();
await save("Bell", 2, null, true);
answers.waiting = [(await ask(counters.GET, "")).unpublished_changes, await shown("staging")];
await promote();
answers.deleted = [await shown("staging"), await shown("production"), await findLastContent(soundSource, "Bell")];
answers.returned = await ask(returning.POST, "", insist, { n: "1" });
answers.afterReturn = await shown("production");
const { events } = await ask(audit.GET, "?family=sound&limit=100");
answers.activity = [...new Set(events.map(({ action }: { readonly action: string }) => action))];
answers.addresses = [itemAddress(gong, "staging"), pathOfTarget("sound:gong")];
await disconnect();
process.stdout.write(`${JSON.stringify(answers)}\n`);
