import { describe, expect, it } from "vitest";
import { StreamedData } from "@/lib/platform/http/streamed-data";

function pieces(texts: readonly (string | Error)[]) {
  const state = { made: 0, ended: false };
  async function* make() {
    try {
      for (const text of texts) {
        await Promise.resolve();
        if (text instanceof Error) throw text;
        state.made += 1;
        yield text;
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, source: make() };
}
const bodyOf = (data: StreamedData) => new Response(data.toBody('{"data":', "}", "request-1"));

describe("data sent in pieces", () => {
  it("stands between the given texts", async () =>
    expect(await bodyOf(await StreamedData.start(pieces(["[1", ",2", "]"]).source)).text()).toBe('{"data":[1,2]}'));

  it("is alone when there are no texts around it", async () => {
    const data = await StreamedData.start(pieces(["[1", "]"]).source);
    expect(await new Response(data.toBody("", "", "request-1")).text()).toBe("[1]");
  });

  it("fails before anything is sent when the first piece fails", () =>
    expect(StreamedData.start(pieces([new Error("away")]).source)).rejects.toThrow("away"));

  it("is cut off when a later piece fails", async () => {
    const data = await StreamedData.start(pieces(["[1", new Error("away")]).source);
    await expect(bodyOf(data).text()).rejects.toThrow("away");
  });

  it("makes no piece before it is asked for, and none after the reader has gone", async () => {
    const { state, source } = pieces(["[1", ",2", ",3", "]"]);
    const reader = (await StreamedData.start(source)).toBody("{", "}", "request-1").getReader();
    await reader.read();
    await reader.read();
    expect(state).toEqual({ made: 1, ended: false });
    await reader.cancel();
    expect(state).toEqual({ made: 1, ended: true });
  });

  it.each([
    ["is not sent", (data: StreamedData) => data.discard()],
    ["is sent to nobody", (data: StreamedData) => data.toBody("", "", "request-1").cancel()],
  ])("finding S7: leaves nothing open when it %s", async (_, end) => {
    const { state, source } = pieces(["[1", "]"]);
    await end(await StreamedData.start(source));
    expect(state).toEqual({ made: 1, ended: true });
  });
});
