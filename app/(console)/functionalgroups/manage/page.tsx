import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { toForm } from "../group-form";
import { GroupConsents } from "./group-consents";
import { GroupEditor } from "./group-editor";
import { loadConsents } from "./queries";
import { KeepAddress } from "@/app/_components/hooks/keep-address";
import { EditorSlot } from "@/app/_records/editor-slot";
import { ReportEnvironment } from "@/app/_components/shell/bars/environment";
import { readClock } from "@/app/_console/read-clock";
import { oncePerRequest } from "@/app/_console/once-per-request";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { groupPageQuery } from "@/lib/records/groups/console-schema";
import { findGroupPage } from "@/lib/records/groups/editor-queries";
import { groupPath } from "@/lib/records/groups/list-address";

type Props = PageProps<"/functionalgroups/manage">;

const findPage = oncePerRequest(findGroupPage);

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  await requirePage("read");
  const name = (await findPage(groupPageQuery.parse(await searchParams)))?.group.name;
  return { title: name === "" ? "New functional group" : `${name ?? "Not found"} · Functional groups` };
}

export default async function GroupPage({ searchParams }: Props) {
  await requirePage("read");
  const query = groupPageQuery.parse(await searchParams);
  const page = await findPage(query);
  if (page === null) notFound();
  const { group, ...facts } = page;
  const { id, name, status, is_deleted: isDeleted } = group;
  const { environment } = facts;
  const consents = id === 0 ? null : await loadConsents(name, readClock());
  return (
    <>
      <ReportEnvironment environment={environment} />
      {id !== 0 && <KeepAddress path={groupPath({ id }, environment)} />}
      <EditorSlot record={`${environment}:${name}`} name={name}>
        <GroupEditor
          initial={toForm(group, facts.rpcs)}
          facts={{ ...facts, id, copyOf: query.from ?? null, status, isDeleted }}
          consents={consents && <GroupConsents consents={consents} />}
        />
      </EditorSlot>
    </>
  );
}
