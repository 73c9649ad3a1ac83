import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import useSWR from "swr";
import { NotFoundPanel } from "@/app/_components/feedback/not-found-panel";
import { LinkButton } from "@/app/_components/ui/link-button";
import type { RecordFamily } from "@/app/_records/family";

type NotFoundFamily = Pick<RecordFamily<object>, "noun" | "label" | "section" | "pathOf" | "find">;

export function RecordNotFound({
  family,
  children,
}: Readonly<{
  family: NotFoundFamily;
  children?: ReactNode;
}>) {
  const { noun, label, section } = family;
  return (
    <NotFoundPanel
      title="This version no longer exists"
      action={
        <div className="flex flex-wrap gap-2">
          <NewestVersion family={family} />
          {children}
          <LinkButton href={section}>{`All ${label.toLowerCase()}`}</LinkButton>
        </div>
      }
    >
      <p>{`There is no ${noun} at this address. It was deleted or is not in this environment.`}</p>
    </NotFoundPanel>
  );
}

function NewestVersion({ family: { find, pathOf } }: Readonly<{ family: NotFoundFamily }>) {
  const query = useSearchParams();
  const { data: newest } = useSWR(["newest-version", query.toString()], () => find(readAddress(query)));
  return (
    newest && (
      <LinkButton variant="primary" href={pathOf(newest, "staging")}>
        {`Latest version of ${newest.name}`}
      </LinkButton>
    )
  );
}

/** An id, or a name, which messages call category. */
export function readAddress(query: URLSearchParams): { readonly id: number | null; readonly name: string | null } {
  const id = query.get("id");
  if (id !== null) return { id: /^\d{1,15}$/.test(id) ? Number(id) : null, name: null };
  return { id: null, name: query.get("name") ?? query.get("category") };
}
