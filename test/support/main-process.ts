/**
 * Plays `main` for what a test makes in its own process; to be put in place of `lib/process/channel`. Call `forgetMain`
 * before each test.
 */
import { EventEmitter } from "node:events";
import type { ToChild, ToMain } from "@/lib/process/messages";

const told: ToMain[] = [];
const messages = new EventEmitter();

export function tellMain(message: ToMain): void {
  told.push(message);
}

export function onMain(kind: string, listener: (message: ToChild) => void): () => void {
  messages.on(kind, listener);
  return () => messages.off(kind, listener);
}

/** What `main` was told of one kind, in order. */
export function toldMain<Kind extends ToMain["kind"]>(kind: Kind) {
  return told.filter((message): message is Extract<ToMain, { readonly kind: Kind }> => message.kind === kind);
}

/** Has `main` say something. */
export function mainTells(message: ToChild): void {
  messages.emit(message.kind, message);
}

export function forgetMain(): void {
  told.length = 0;
  messages.removeAllListeners();
}
