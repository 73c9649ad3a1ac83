import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { type ItemForm, type NodeForm, rootUid, toForm } from "../item-form";
import { ItemEditor } from "./item-editor";
import { EditorSlot } from "@/app/_records/editor-slot";
import { ReportEnvironment } from "@/app/_components/shell/bars/environment";
import { oncePerRequest } from "@/app/_console/once-per-request";
import { requirePage } from "@/lib/platform/auth/callers/require-page";
import { requirePageQuery } from "@/app/_console/require-page-query";
import { vehicleDataPageQuery } from "@/lib/records/vehicle-data/console-schema";
import { findVehicleDataPage } from "@/lib/records/vehicle-data/editor-queries";
import { vehicleDataPath } from "@/lib/records/vehicle-data/list-address";
import type { WireVehicleData } from "@/lib/records/vehicle-data/wire";

type Props = PageProps<"/vehicledata/manage">;

const findPage = oncePerRequest(findVehicleDataPage);

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  await requirePage("read");
  const page = await findPage(vehicleDataPageQuery.parse(await searchParams));
  if (page === null || "movedTo" in page) return { title: "Vehicle data" };
  return { title: page.nodeId === null ? "New vehicle data item" : `${page.item.name ?? ""} · Vehicle data` };
}

export default async function VehicleDataItemPage({ searchParams }: Props) {
  await requirePage("read");
  const raw = await searchParams;
  // A malformed id means there is no such item; other malformed parameters are only dropped from the address.
  if (vehicleDataPageQuery.parse(raw).id === -1) notFound();
  const query = requirePageQuery("/vehicledata/manage", vehicleDataPageQuery, raw);
  const page = await findPage(query);
  if (page === null) notFound();
  if ("movedTo" in page) redirect(vehicleDataPath(page.movedTo, page.environment));
  const { item, nodeId, ...facts } = page;
  const initial: ItemForm = toForm(item);
  const isNew = nodeId === null;
  const nodeIds = isNew ? [] : listNodeIds(item, initial);
  const copyOf = isNew ? (query.from ?? null) : null;
  return (
    <>
      <ReportEnvironment environment={page.environment} />
      <EditorSlot
        record={`${page.environment}:${isNew ? `:${copyOf}` : initial.name}`}
        name={isNew ? "" : initial.name}
      >
        <ItemEditor
          initial={initial}
          facts={{
            ...facts,
            id: isNew ? 0 : (item.id ?? 0),
            copyOf,
            isDeleted: item.is_deleted,
            firstUid: nodeIds.find(([, id]) => id === nodeId)?.[0] ?? rootUid,
            nodeIds: Object.fromEntries(nodeIds),
          }}
        />
      </EditorSlot>
    </>
  );
}

function listNodeIds(item: WireVehicleData, form: NodeForm): [uid: string, id: number][] {
  const own: [string, number][] = item.id === null ? [] : [[form.uid, item.id]];
  const inside = item.params.flatMap((child, index) => {
    const formChild = form.params[index];
    return formChild === undefined ? [] : listNodeIds(child, formChild);
  });
  return [...own, ...inside];
}
