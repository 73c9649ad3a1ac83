import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { type ItemForm, type NodeForm, rootUid, toForm } from "@/app/(console)/vehicledata/item-form";
import { ItemEditor } from "@/app/(console)/vehicledata/manage/item-editor";
import { TellEnvironment } from "@/app/_components/shell/environment";
import { requireAdminPage } from "@/lib/auth/session";
import { vehicleDataPageQuery } from "@/lib/vehicle-data/console-schema";
import { findVehicleDataPage } from "@/lib/vehicle-data/editor-queries";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";
import type { WireVehicleData } from "@/lib/vehicle-data/wire";

export const metadata: Metadata = { title: "Vehicle data item" };

/** One item of custom vehicle data with all that is inside. */
export default async function VehicleDataItemPage({ searchParams }: PageProps<"/vehicledata/manage">) {
  await requireAdminPage();
  const query = vehicleDataPageQuery.parse(await searchParams);
  const page = await findVehicleDataPage(query);
  if (page === null) notFound();
  if ("movedTo" in page) redirect(vehicleDataPath(page.movedTo, page.environment));
  const { item, nodeId, ...facts } = page;
  const initial: ItemForm = toForm(item);
  const isNew = nodeId === null;
  const copyOf = isNew ? (query.from ?? null) : null;
  return (
    <>
      <TellEnvironment environment={page.environment} />
      <ItemEditor
        // Another item is another form; another version of the same one is not: what is being typed stays.
        key={`${page.environment}:${isNew ? `:${copyOf}` : initial.name}`}
        initial={initial}
        facts={{
          ...facts,
          id: isNew ? 0 : (item.id ?? 0),
          copyOf,
          isDeleted: item.is_deleted,
          firstUid: (nodeId === null ? null : findUid(item, initial, nodeId)) ?? rootUid,
        }}
      />
    </>
  );
}

/** The node of the form that stands for a stored one. */
function findUid(item: WireVehicleData, form: NodeForm, id: number): string | null {
  if (item.id === id) return form.uid;
  for (const [index, child] of item.params.entries()) {
    const formChild = form.params[index];
    const uid = formChild === undefined ? null : findUid(child, formChild, id);
    if (uid !== null) return uid;
  }
  return null;
}
