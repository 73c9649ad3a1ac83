"use client";
import { ArrowUpCircle, ExternalLink, X } from "lucide-react";
import useSWR from "swr";
import type { z } from "zod";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LinkButton } from "@/app/_components/ui/link-button";
import { useStoredText } from "@/app/_components/hooks/use-preference";
import type { aboutAnswer } from "@/lib/console/about/answer-schema";
import { get } from "@/lib/platform/http/client";

type About = z.infer<typeof aboutAnswer>;
const hourMs = 3_600_000;

/** Tells of a newer version of the server, until it is put away for that version. */
export function UpdateBar() {
  const { data } = useSWR<About>("/api/v1/about", (path: string) => get(path) as Promise<About>, {
    refreshInterval: hourMs,
    revalidateOnFocus: false,
    shouldRetryOnError: false,
    onError: () => undefined,
  });
  const [hidden, hide] = useStoredText("hidden-update");
  if (!data?.is_update_available || hidden === data.latest_version) return null;
  return (
    <div
      role="note"
      className="flex items-center gap-3 border-t border-accent-line bg-accent-soft px-4 py-1.5 text-table md:px-6"
    >
      <ArrowUpCircle aria-hidden="true" className="size-4 shrink-0 text-link" />
      <p className="min-w-0 grow">
        Version <strong className="font-semibold">{data.latest_version}</strong> is available
        {data.update_type && ` (${data.update_type} update)`}.
      </p>
      {data.update_page !== null && (
        <LinkButton
          href={data.update_page}
          target="_blank"
          rel="noreferrer"
          aria-label="Read about it (new tab)"
          size="sm"
        >
          Read about it
          <ExternalLink aria-hidden="true" />
        </LinkButton>
      )}
      <LinkButton href="/about" size="sm" className="max-sm:hidden">
        Details
      </LinkButton>
      <IconButton
        icon={X}
        label="Hide until the next version"
        size="icon-sm"
        onClick={() => hide(data.latest_version)}
      />
    </div>
  );
}
