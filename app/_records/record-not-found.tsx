import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import useSWR from "swr";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";
import { LinkButton } from "@/app/_components/ui/link-button";
import { findRecord, type RecordAddress } from "@/app/_records/family";
import type { RecordKind } from "@/app/_records/kinds";

export function RecordNotFound({
  kind,
  children,
}: Readonly<{
  kind: RecordKind;
  children?: ReactNode;
}>) {
  const { noun, label, section } = kind;
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <div className="flex flex-wrap gap-2">
          <NewestVersion kind={kind} />
          {children}
          <LinkButton href={section}>{`All ${label.toLowerCase()}`}</LinkButton>
        </div>
      }
    >
      <p>{`There is no ${noun} at this address. It was deleted or is not in this environment.`}</p>
    </NotFoundPanel>
  );
}

function NewestVersion({ kind: { family, pathOf } }: Readonly<{ kind: RecordKind }>) {
  const query = useSearchParams();
  const address = readAddress(query);
  const { data: newest } = useSWR(["newest-version", query.toString()], () =>
    findRecord({ family, toForm: (body) => body }, address),
  );
  return (
    newest && (
      <LinkButton variant="primary" href={pathOf({ id: address.id ?? newest.id, name: newest.name }, "staging")}>
        {`Latest version of ${newest.name}`}
      </LinkButton>
    )
  );
}

/** An id, or a name, which messages call category. */
export function readAddress(query: URLSearchParams): RecordAddress {
  const id = query.get("id");
  if (id !== null) return { id: /^\d{1,15}$/.test(id) ? Number(id) : null };
  return { name: query.get("name") ?? query.get("category") };
}
