import { EventEmitter } from "node:events";
import { afterAll, beforeEach } from "vitest";
import { reachMain } from "@/lib/platform/process/channel";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";

const told: ToMain[] = [];
const events = new EventEmitter();

export function playMain(): void {
  beforeEach(() => {
    told.length = 0;
    events.removeAllListeners();
    reachMain({ events, tell: (message) => void told.push(message) });
  });
  afterAll(() => reachMain(null));
}

export function toldMain<Kind extends ToMain["kind"]>(kind: Kind) {
  return told.filter((message): message is Extract<ToMain, { readonly kind: Kind }> => message.kind === kind);
}

export function mainTells(message: ToChild): void {
  events.emit("message", message);
}
