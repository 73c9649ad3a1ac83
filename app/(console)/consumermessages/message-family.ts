import type { RecordFamily } from "@/app/_records/family";
import { recordKinds } from "@/app/_records/kinds";
import { ApiError, get } from "@/lib/platform/http/client";
import type { MessageJson } from "@/lib/records/messages/wire";
import { type MessageDraft, toBody, toDraft } from "./message-draft";

export const messageFamily: RecordFamily<MessageDraft> = {
  ...recordKinds.messages,
  api: "/api/v1/messages",
  draftPrefix: "message",
  nameOf: (draft) => String(draft["category"]).trim(),
  toBody,
  // The response to a saved message is a message.
  fromCurrent: (current) => toDraft(current as MessageJson),
  read: async (category) => {
    const message = await readNewest(category);
    return { id: message.id, form: toDraft(message), isDeleted: message.is_deleted };
  },
  find: async ({ id, name }) => {
    if (id !== null) return toFound((await readMessage(id))?.message_category);
    const { names } = (await get("/api/v1/messages/names")) as { readonly names: readonly string[] };
    return toFound(names.find((one) => one === name));
  },
};

const toFound = (name: string | undefined) => (name === undefined ? null : { id: 0, name });

async function readMessage(id: number): Promise<MessageJson | null> {
  const answer = (await get(`/api/v1/messages?id=${id}`)) as { readonly messages: readonly MessageJson[] };
  return answer.messages[0] ?? null;
}

/** @throws ApiError when there is none */
async function readNewest(category: string): Promise<MessageJson> {
  const path = `/api/v1/messages?environment=staging&search=${encodeURIComponent(category)}`;
  const { messages } = (await get(path)) as {
    readonly messages: readonly { readonly id: number; readonly message_category: string }[];
  };
  const id = messages.find((message) => message.message_category === category)?.id;
  const message = id === undefined ? null : await readMessage(id);
  if (message === null) throw new ApiError(`There is no ${category} in staging anymore`, 404, null, null);
  return message;
}
