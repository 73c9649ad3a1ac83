import { expect, it } from "vitest";
import { findServices } from "@/lib/policy/services";
import { FunctionalGroupModel } from "@/models/functional-group";
import { withApi } from "@/test/support/api";
import { type SentCommand, watchCommands } from "@/test/support/database-commands";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";

withApi();

async function call(name: string, body: object) {
  const { handler, method, path } = findRoute(name);
  const { meta, data } = await readAnswer(await handler(aRequest(path, { method, body })));
  expect(meta.code, JSON.stringify(meta)).toBe(200);
  return data;
}

async function commandsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const note = ({ commandName, command }: SentCommand) => {
    const collection: unknown = command[commandName];
    const name = typeof collection === "string" ? `${commandName} ${collection}` : commandName;
    // Signs of life, and the look at the revision each second: they come as often as time passes.
    const isOfTime =
      commandName === "ping" || collection === "locks" || (collection === "revision" && !command.txnNumber);
    if (!isOfTime) counts[name] = (counts[name] ?? 0) + 1;
  };
  const caughtUp = async () => expect(await findServices()?.runtime.caughtUp(120_000)).toBe(true);
  await caughtUp();
  await watchCommands(note, () => work().then(caughtUp));
  return counts;
}

const rpc = { name: "Alert", selected: true, hmi_levels: [{ value: "FULL", selected: true }], parameters: [] };
const group = { name: "Round trips", is_default: false, user_consent_prompt: "Location", rpcs: [rpc] };
const save = (description: string, more: object = {}) =>
  call("POST /api/v1/groups", { ...group, description, ...more });
const publish = () => call("POST /api/v1/releases", { items: "all", force: true, reason: "a test" });

it("F11: a save takes no more than 25 commands, and with a publication no more than 60", async () => {
  // What is read once, and never again, was read.
  await save("first");
  await publish();
  const saving = await commandsOf(() => save("second"));
  const publishing = await commandsOf(publish);
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, one) => all + one, 0);
  const names = [...new Set([...Object.keys(saving), ...Object.keys(publishing)])].toSorted();
  const rows = names.map((name) => [name, { save: saving[name] ?? 0, publication: publishing[name] ?? 0 }] as const);
  console.table({ ...Object.fromEntries(rows), all: { save: sum(saving), publication: sum(publishing) } });
  expect(sum(saving)).toBeGreaterThan(10);
  expect(sum(saving)).toBeLessThanOrEqual(25);
  expect(sum(saving) + sum(publishing)).toBeLessThanOrEqual(60);
});

it("F11: faults are still those that a save brings, also while this process does not know the newest revision", async () => {
  const findings = async (saving: Promise<{ findings?: readonly { path: string }[] }>) => [
    ...new Set((await saving).findings?.map(({ path }) => path)),
  ];
  const without = async (flag: "isDevice" | "isPreDataConsent") => {
    const { name } = (await FunctionalGroupModel.findOne({ [flag]: true }).lean()) ?? {};
    return call("POST /api/v1/groups", { ...group, name });
  };
  await findServices()?.runtime.stop();
  expect(await findings(save("third"))).toEqual([]);
  // As if somebody else had saved it: what this process knows does not have the fault.
  expect(await findings(without("isDevice"))).toEqual(["app_policies.device.groups"]);
  expect(await findings(save("fourth"))).toEqual([]);
  expect(await findings(without("isPreDataConsent"))).toEqual(["app_policies.pre_DataConsent.groups"]);
});
