import { ArrowUpCircle, ExternalLink, X } from "lucide-react";
import type { z } from "zod";
import { IconButton } from "@/app/_components/ui/icon-button";
import { LinkButton } from "@/app/_components/ui/link-button";
import type { aboutAnswer } from "@/lib/console/about/answer-schema";

export type About = z.infer<typeof aboutAnswer>;

export function UpdateNote({ about, onHide }: Readonly<{ about: About; onHide: () => void }>) {
  return (
    <div
      role="note"
      className="flex items-center gap-3 border-t border-accent-line bg-accent-soft px-4 py-1.5 text-table md:px-6"
    >
      <ArrowUpCircle aria-hidden="true" className="size-4 shrink-0 text-link" />
      <p className="min-w-0 grow">
        Version <strong className="font-semibold">{about.latest_version}</strong> is available
        {about.update_type && ` (${about.update_type} update)`}.
      </p>
      {about.update_page !== null && (
        <LinkButton
          href={about.update_page}
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
      <IconButton icon={X} label="Hide until the next version" size="icon-sm" onClick={onHide} />
    </div>
  );
}
