"use client";
import { ApiError, get } from "@/lib/http/client";
import type { MessageJson } from "./message-draft";

/** A message record by its id, or null. */
export async function readMessage(id: number): Promise<MessageJson | null> {
  const answer = (await get(`/api/v1/messages?id=${id}`)) as { readonly messages: readonly MessageJson[] };
  return answer.messages[0] ?? null;
}

/**
 * Reads the newest version of a message in staging, with all its texts.
 *
 * @throws ApiError when there is none
 */
export async function readNewestMessage(category: string): Promise<MessageJson> {
  const path = `/api/v1/messages?environment=staging&search=${encodeURIComponent(category)}`;
  const { messages } = (await get(path)) as {
    readonly messages: readonly { readonly id: number; readonly message_category: string }[];
  };
  const id = messages.find((message) => message.message_category === category)?.id;
  const message = id === undefined ? null : await readMessage(id);
  if (message === null) throw new ApiError(`There is no ${category} in staging any more`, 404, null, null);
  return message;
}
