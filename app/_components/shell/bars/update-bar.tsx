"use client";
import dynamic from "next/dynamic";
import useSWR from "swr";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { About } from "@/app/_components/shell/bars/update-note";
import { get } from "@/lib/platform/http/client";

const UpdateNote = dynamic(() => import("@/app/_components/shell/bars/update-note").then((m) => m.UpdateNote), {
  ssr: false,
});
const hourMs = 3_600_000;

/** Announces a newer version of the server, until it is dismissed for that version. */
export function UpdateBar() {
  const { data } = useSWR<About>("/api/v1/about", (path: string) => get(path) as Promise<About>, {
    refreshInterval: hourMs,
    revalidateOnFocus: false,
    shouldRetryOnError: false,
    onError: () => undefined,
  });
  const [hidden, hide] = useStoredText("hidden-update");
  if (!data?.is_update_available || hidden === data.latest_version) return null;
  return <UpdateNote about={data} onHide={() => hide(data.latest_version)} />;
}
