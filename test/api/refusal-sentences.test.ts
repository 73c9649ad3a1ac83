/** What a 400 says (`api.md` 0.5): the cause, and which element it is about. */
import { expect, it } from "vitest";
import { withApi } from "@/test/support/api";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";

const api = withApi();

const bodyOf = (name: string): any => structuredClone(api.calls()[name]?.[0]?.body);
async function refusalOf(name: string, body: unknown): Promise<string | null> {
  const route = findRoute(name);
  const response = await route.handler(aRequest(route.path, { method: route.method, body }));
  expect(response.status).toBe(400);
  return (await readAnswer(response)).meta.message;
}

it("finding D2: an address with a line break is not called too short or too long", async () => {
  const body = bodyOf("POST /api/v1/module");
  body.endpoints["0x04"] = "http://127.0.0.1/api\n/v1";
  expect(await refusalOf("POST /api/v1/module", body)).toMatch(/^endpoints\.0x04 must not hold line breaks/);
  body.endpoints["0x04"] = "short";
  expect(await refusalOf("POST /api/v1/module", body)).toBe("endpoints.0x04 must be a string of 10 to 255 bytes");
});

it("finding D2: a blank group name is called blank", async () => {
  expect(await refusalOf("POST /api/v1/groups", { ...bodyOf("POST /api/v1/groups"), name: "  " })).toBe(
    "name must not be blank",
  );
});

it("finding D2: names the RPC, the HMI level and the parameter that is wrong", async () => {
  const body = bodyOf("POST /api/v1/groups");
  const [rpc] = body.rpcs;
  const refused = (rpcs: unknown) => refusalOf("POST /api/v1/groups", { ...body, rpcs });
  expect(await refused([rpc, { ...rpc, name: 7 }])).toMatch(/^An RPC needs name.* \(rpcs\[1\]\)$/);
  expect(await refused([rpc, rpc, { ...rpc, hmi_levels: [{ value: "LOUD", selected: true }] }])).toMatch(
    /^An HMI level needs.* \(rpcs\[2\]\.hmi_levels\[0\]\)$/,
  );
  expect(await refused([{ ...rpc, parameters: [...rpc.parameters, { key: "gps" }] }])).toMatch(
    /^A parameter needs.* \(rpcs\[0\]\.parameters\[1\]\)$/,
  );
});

it("finding D2: names the message that is wrong", async () => {
  const { messages } = bodyOf("POST /api/v1/messages");
  const [message] = messages;
  const [english] = message.languages;
  const refused = (second: object) =>
    refusalOf("POST /api/v1/messages", { messages: [message, { ...message, ...second }] });
  expect(await refused({ is_deleted: "no" })).toMatch(/^A message needs.* \(messages\[1\]\)$/);
  expect(await refused({ languages: [] })).toBe("A selected en-us text is required (messages[1])");
  expect(await refused({ languages: [english, { ...english, language_id: "english" }] })).toBe(
    "Unknown language: english (messages[1])",
  );
  expect(await refused({ languages: [english, { ...english, language_id: "de-de", line1: 7 }] })).toMatch(
    /^Language de-de: line1 must be.* \(messages\[1\]\.languages\[1\]\)$/,
  );
});
