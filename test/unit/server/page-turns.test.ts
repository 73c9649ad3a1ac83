import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPageTurns } from "@/server/page-turns";

function aResponse() {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const leave = () => {
    response.destroyed = true;
    response.emit("close");
  };
  return Object.assign(response as unknown as ServerResponse, { leave });
}
function aPage() {
  let [end, fail]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const rendering = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { render: vi.fn(() => rendering), end: () => end(), fail: (error: Error) => fail(error) };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("N4: pages take turns", () => {
  it("the next begins when one has ended, also by a failure, which is told", async () => {
    const inTurn = createPageTurns({ max: 1 });
    const [one, two, three] = [aPage(), aPage(), aPage()];
    const failing = inTurn(aResponse(), one.render);
    void inTurn(aResponse(), two.render);
    void inTurn(aResponse(), three.render);
    await settle();
    expect([one, two, three].map(({ render }) => render.mock.calls.length)).toEqual([1, 0, 0]);
    one.fail(new Error("no page"));
    await expect(failing).rejects.toThrow("no page");
    await settle();
    expect(two.render).toHaveBeenCalledOnce();
    expect(three.render).not.toHaveBeenCalled();
    two.end();
    await settle();
    expect(three.render).toHaveBeenCalledOnce();
  });

  it("a reader who has gone is passed over, and one who goes gives its turn back", async () => {
    const inTurn = createPageTurns({ max: 1 });
    const [one, two, three] = [aPage(), aPage(), aPage()];
    const [first, second] = [aResponse(), aResponse()];
    void inTurn(first, one.render);
    void inTurn(second, two.render);
    void inTurn(aResponse(), three.render);
    await settle();
    second.leave();
    first.leave();
    await settle();
    expect(two.render).not.toHaveBeenCalled();
    expect(three.render).toHaveBeenCalledOnce();
  });

  it("a slow reader keeps no turn for ever, and gets the whole page all the same", async () => {
    const inTurn = createPageTurns({ max: 1, longestMs: 100 });
    const [slow, next] = [aPage(), aPage()];
    const done = vi.fn();
    void inTurn(aResponse(), slow.render).then(done);
    void inTurn(aResponse(), next.render);
    await vi.advanceTimersByTimeAsync(99);
    expect(next.render).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(next.render).toHaveBeenCalledOnce();
    expect(done).not.toHaveBeenCalled();
    slow.end();
    await settle();
    expect(done).toHaveBeenCalledOnce();
  });
});
