"use client";
import { useSearchParams } from "next/navigation";
import useSWR from "swr";
import { buttonClass } from "@/app/_components/button-class";
import { get } from "@/lib/http/client";
import { readMessage } from "../message-api";
import { messagePath } from "../message-path";

/** Leads to the newest version of the message that an address was about, where there is one. */
export function NewestMessage() {
  const query = useSearchParams();
  const { data: category } = useSWR(["newest-message", query.get("id"), query.get("category")], ([, id, name]) =>
    findCategory(id, name),
  );
  if (!category) return null;
  return (
    // No step of the router: within one path it goes on showing that nothing was found.
    <a href={messagePath(category, "staging")} className={buttonClass({ variant: "primary" })}>
      {`Newest version of ${category}`}
    </a>
  );
}

/** Null: the name is not known. */
async function findCategory(id: string | null, name: string | null): Promise<string | null> {
  if (id !== null && /^\d{1,15}$/.test(id)) return (await readMessage(Number(id)))?.message_category ?? null;
  if (name === null) return null;
  const { names } = (await get("/api/v1/messages/names")) as { readonly names: readonly string[] };
  return names.includes(name) ? name : null;
}
