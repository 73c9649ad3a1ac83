"use client";
import { type NewestRecord, NewestVersion } from "@/app/_records/newest-version";
import { get } from "@/lib/http/client";
import { readMessage } from "../message-api";
import { messagePath } from "../message-path";

/** Leads to the newest version of the message that an address was about. */
export function NewestMessage() {
  return <NewestVersion find={(query) => findMessage(query.get("id"), query.get("category"))} />;
}

async function findMessage(id: string | null, given: string | null): Promise<NewestRecord | null> {
  const name = await findCategory(id, given);
  return name === null ? null : { name, href: messagePath(name, "staging") };
}

async function findCategory(id: string | null, name: string | null): Promise<string | null> {
  if (id !== null && /^\d{1,15}$/.test(id)) return (await readMessage(Number(id)))?.message_category ?? null;
  if (name === null) return null;
  const { names } = (await get("/api/v1/messages/names")) as { readonly names: readonly string[] };
  return names.includes(name) ? name : null;
}
