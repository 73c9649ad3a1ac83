"use client";
import { useSearchParams, type ReadonlyURLSearchParams } from "next/navigation";
import useSWR from "swr";
import { LinkButton } from "@/app/_components/ui/link-button";

/** What staging has of a record. */
export interface NewestRecord {
  readonly name: string;
  readonly href: string;
}

/**
 * Leads to the newest version of what an address was about, where there is one.
 *
 * @param find reads it by the parameters of the address; null when there is none, or its name is not known
 */
export function NewestVersion({
  find,
}: Readonly<{ find: (query: ReadonlyURLSearchParams) => Promise<NewestRecord | null> }>) {
  const query = useSearchParams();
  const { data: newest } = useSWR(["newest-version", query.toString()], () => find(query));
  return (
    newest && (
      <LinkButton variant="primary" href={newest.href}>
        {`Newest version of ${newest.name}`}
      </LinkButton>
    )
  );
}
