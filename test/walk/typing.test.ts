import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { hasFocus, withConsole } from "@/test/support/browser";
import { isWhole } from "@/test/support/extent";
import { settle } from "@/test/support/settle";

/* U9: somebody types through a save in every editor, with a network that takes its time. No letter is lost. */

const { open, ask } = withConsole();

/** Milliseconds, and bytes a second. */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const letters = "abcdefghijklmnopqrstuvwxyz".repeat(2);

interface Editor {
  readonly path: () => Promise<string>;
  readonly fill?: (page: Page) => Promise<void>;
  readonly label: string;
  readonly first: string;
  readonly read: () => Promise<unknown>;
}

const languages = [{ language_id: "en-us", selected: true, tts: "Text " }];
const message = (name: string) => ({ message_category: name, is_deleted: false, languages });
const item = (name: string) => ({ name, key: "KEY_", type: "Integer", array: false, params: [] });

async function readGroup(name: string) {
  const { groups } = await ask(`/groups?environment=staging&search=${name}`);
  return (await ask(`/groups?environment=staging&id=${groups[0].id}`)).groups[0].description;
}
async function readMessage(name: string) {
  const { messages } = await ask(`/messages?environment=staging&search=${name}`);
  const [found] = (await ask(`/messages?id=${messages[0].id}`)).messages;
  return found.languages.find((one: any) => one.language_id === "en-us").tts;
}
async function readItem(name: string) {
  const { custom_vehicle_data: items } = await ask("/vehicle-data?environment=staging");
  return items.find((one: any) => one.name === name).key;
}
const storeItem = async (name: string) => (await ask("/vehicle-data", item(name))).custom_vehicle_data[0].id;

const editors: Readonly<Record<string, Editor>> = {
  "a group": {
    path: async () => {
      await ask("/groups", { name: "Typed-1", is_default: false, description: "Text ", rpcs: [] });
      return "/functionalgroups/manage?name=Typed-1&environment=staging";
    },
    ...{ label: "Description", first: "Text ", read: () => readGroup("Typed-1") },
  },
  "a new group": {
    path: () => Promise.resolve("/functionalgroups/manage?environment=staging"),
    fill: (page) => page.getByLabel("Name", { exact: true }).fill("Typed-2"),
    ...{ label: "Description", first: "", read: () => readGroup("Typed-2") },
  },
  "a message": {
    path: async () => {
      await ask("/messages", { messages: [message("TypedOne")] });
      return "/consumermessages/manage?category=TypedOne&environment=staging";
    },
    ...{ label: "Spoken text", first: "Text ", read: () => readMessage("TypedOne") },
  },
  "a new message": {
    path: () => Promise.resolve("/consumermessages/manage?environment=staging"),
    fill: (page) => page.getByLabel("Category", { exact: true }).fill("TypedTwo"),
    ...{ label: "Spoken text", first: "", read: () => readMessage("TypedTwo") },
  },
  "a vehicle data item": {
    path: async () => `/vehicledata/manage?id=${await storeItem("typedOne")}&environment=staging`,
    ...{ label: "Key", first: "KEY_", read: () => readItem("typedOne") },
  },
  "a new vehicle data item": {
    path: async () => `/vehicledata/manage?from=${await storeItem("typedThree")}`,
    fill: (page) => page.getByLabel("Name", { exact: true }).fill("typedTwo"),
    ...{ label: "Key", first: "KEY_", read: () => readItem("typedTwo") },
  },
  "the module config": {
    path: () => Promise.resolve("/moduleconfig"),
    label: "Version",
    first: "",
    read: async () => {
      const [config] = (await ask("/module?environment=staging")).module_configs;
      return config.endpoint_properties.custom_vehicle_data_mapping_url.version;
    },
  },
};

/** New records use the same forms. */
const tried = Object.entries(editors).filter(([name]) => isWhole || !name.startsWith("a new"));

it.each(tried)("U9: typing through a save: loses no letter of %s", async (_, { path, fill, label, first, read }) => {
  const { page, context, goto } = await open();
  await goto(await path());
  await fill?.(page);
  const field = page.getByRole("textbox", { name: label, exact: true });
  await field.fill(first);
  await (await context.newCDPSession(page)).send("Network.emulateNetworkConditions", slow);
  await field.focus();
  await page.keyboard.press("End");
  await page.keyboard.type("1");
  await page.keyboard.press("Control+s");
  await page.keyboard.type(letters, { delay: 40 });
  await page.getByText("Saved to staging", { exact: true }).first().waitFor();
  await settle(page);
  await page.keyboard.type("Z");
  const all = `${first}1${letters}Z`;
  expect(await field.inputValue()).toBe(all);
  expect(await hasFocus(field)).toBe(true);
  const footer = page.getByRole("region", { name: "Unsaved changes" });
  await footer.getByText("1 unsaved change").waitFor();
  expect(await read()).toBe(`${first}1`);
  // The second save is no conflict with the first.
  await page.keyboard.press("Control+s");
  await expect.poll(read).toBe(all);
  await footer.waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe(all);
});
