import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, envelopeOf, refusal } from "@/example-directory/answer";
import { type Delivery, send, writeHead } from "@/example-directory/server";
import type { ExampleFaults, FaultKind, WrongShape } from "@/test/support/faulty-directory/faults";

const moreThanAllowed = 33 * 2 ** 20;

export async function deliverFault(fault: FaultKind, delivery: Delivery, faults: ExampleFaults): Promise<void> {
  const answer = await misanswer(fault, delivery, faults);
  if (answer !== null) send(delivery.response, answer);
}

/** Null if the fault needs nothing more. */
async function misanswer(fault: FaultKind, delivery: Delivery, faults: ExampleFaults): Promise<Answer | null> {
  const { call, answer, request, response, gone } = delivery;
  const reset = () => {
    request.socket.resetAndDestroy();
    return null;
  };
  switch (fault.kind) {
    case "status":
      return refusal(fault.status ?? 500, fault.message ?? "A fault that was asked for");
    case "garbage":
      return { status: 200, type: "text/html", body: "<!doctype html><title>Maintenance</title>" };
    case "truncated": {
      const { body, ...rest } = await answer(call);
      return { ...rest, body: body.slice(0, body.length / 2) };
    }
    case "hang": {
      const early = fault.stale === true ? await answer(call) : null;
      return (await faults.hang(gone)) === "drop" ? reset() : (early ?? answer(call));
    }
    case "slow": {
      const early = fault.stale === true ? await answer(call) : null;
      await wait(fault.ms, undefined, { signal: gone });
      return early ?? answer(call);
    }
    case "stall":
      return sendHalves(response, await answer(call), async (rest) => {
        await wait(fault.ms, undefined, { signal: gone });
        response.end(rest);
      });
    case "reset":
      return reset();
    case "cut":
      return sendHalves(response, await answer(call), reset);
    case "shape":
      return misshape(await answer(call), fault.shape);
    case "huge":
      return sendHuge(response, await answer(call), fault.bytes ?? moreThanAllowed);
  }
}

/** Sends the first half; `end` receives the second half once the first is out. */
async function sendHalves(response: ServerResponse, answer: Answer, end: (rest: Buffer) => unknown): Promise<null> {
  const body = Buffer.from(answer.body);
  const half = Math.floor(body.length / 2);
  writeHead(response, answer, body.length);
  await new Promise<void>((resolve) => response.write(body.subarray(0, half), () => resolve()));
  await end(body.subarray(half));
  return null;
}

async function sendHuge(response: ServerResponse, answer: Answer, bytes: number): Promise<null> {
  const piece = Buffer.alloc(2 ** 16, "x");
  const pieces = function* () {
    yield Buffer.from('{"padding":"');
    for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
    yield Buffer.from(`",${answer.body.slice(1)}`);
  };
  writeHead(response, answer);
  await pipeline(Readable.from(pieces()), response);
  return null;
}

function misshape(answer: Answer, shape: WrongShape): Answer {
  if (shape === "no-data") return { ...answer, body: answer.body.replace(/,"data":.*$/s, "}") };
  const { data } = JSON.parse(answer.body) as { data: Record<string, unknown> };
  return envelopeOf(JSON.stringify(Object.fromEntries(Object.keys(data).map((name) => [name, {}]))));
}
