"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import type { ItemForm } from "@/app/(console)/vehicledata/item-form";
import type { EditorFacts } from "@/app/(console)/vehicledata/manage/item-facts";
import type { Draft } from "@/app/_components/form/use-draft";
import { guides } from "@/app/_components/guides";
import { useSeenList } from "@/app/_components/list/views/list-memory";
import { RecordHeader } from "@/app/_records/record-header";
import { vehicleDataPath } from "@/lib/vehicle-data/list-address";

const PromoteDialog = dynamic(
  () => import("@/app/(console)/vehicledata/promote-dialog").then((module) => module.PromoteDialog),
  { ssr: false },
);
const RemovalDialog = dynamic(
  () => import("@/app/(console)/vehicledata/removal-dialog").then((module) => module.RemovalDialog),
  { ssr: false },
);

/** Name and state of the item, and what can be done with it as a whole. */
export function ItemHeader({
  facts,
  name,
  draft,
  save,
}: Readonly<{ facts: EditorFacts; name: string; draft: Draft<ItemForm>; save: () => Promise<boolean> }>) {
  const router = useRouter();
  const { id, isPromoted, isDeleted, usedBy, pending } = facts;
  const listHref = useSeenList("/vehicledata").path ?? "/vehicledata";
  const { isDirty, baseId, discard } = draft;
  return (
    <RecordHeader
      name={name}
      newTitle="New item of vehicle data"
      list={{ label: "Vehicle data", href: "/vehicledata" }}
      helpHref={guides.vehicleData}
      record={facts}
      hrefs={{
        copy: `/vehicledata/manage?from=${id}`,
        staging: vehicleDataPath(id, "staging"),
        production: vehicleDataPath(id, "production"),
      }}
      unsaved={{ isDirty, save }}
    >
      {(act, close) =>
        act === "promote" ? (
          // A promoted deletion leaves no page of its own.
          <PromoteDialog items={pending} onClose={close} nextHref={isDeleted ? listHref : undefined} />
        ) : (
          <RemovalDialog
            // The version that the reader has changed, where a later one has come with the page.
            item={{ id: isDirty ? (baseId ?? id) : id, name, isNew: !isPromoted, usedBy }}
            isRestore={act === "restore"}
            isDirty={isDirty}
            onClose={close}
            onDone={(savedId) => {
              discard();
              if (savedId !== null) router.replace(vehicleDataPath(savedId, "staging"));
            }}
          />
        )
      }
    </RecordHeader>
  );
}
