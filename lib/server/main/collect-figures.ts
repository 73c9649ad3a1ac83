import type { Figures, ToChild, ToMain } from "@/lib/platform/process/messages";
import { within } from "@/lib/platform/async";

export interface FigureSource {
  readonly name: string;
  /** May throw when the process has just ended. */
  readonly send: (message: Extract<ToChild, { kind: "collect" }>) => void;
  readonly on: (listener: (message: ToMain) => void) => () => void;
}

/** A process that does not answer within this time is left out, in milliseconds. */
const defaultTimeoutMs = 1000;

/**
 * Collects the figures of other processes at once (`processes.md` N6). Never rejects; no figures: no answer.
 * @param id so that late answers to an earlier request do not count
 */
export async function collectFigures(
  id: number,
  sources: readonly FigureSource[],
  timeoutMs = defaultTimeoutMs,
): Promise<Readonly<Record<string, Figures>>> {
  const found = sources.map(async (source) => [source.name, await collectFrom(source, id, timeoutMs)] as const);
  return Object.fromEntries(await Promise.all(found));
}

async function collectFrom({ send, on }: FigureSource, id: number, timeoutMs: number): Promise<Figures> {
  let forget: () => void = () => undefined;
  const told = new Promise<Figures>((resolve) => {
    forget = on((message) => {
      if (message.kind === "figures" && message.id === id) resolve(message.figures);
    });
  });
  try {
    send({ kind: "collect", id });
    return await within(timeoutMs, told, () => []);
  } catch {
    return [];
  } finally {
    forget();
  }
}
