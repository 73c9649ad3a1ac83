import dynamic from "next/dynamic";
import { useDeferredValue, useState } from "react";
import { type ItemForm, toPolicyItem } from "../item-form";
import { Button } from "@/app/_components/ui/button";
import { Notice } from "@/app/_components/feedback/notice";
import { Section } from "@/app/_components/ui/section";
import { Skeleton } from "@/app/_components/ui/skeleton";
import { buildCustomItems } from "@/lib/policy/table/vehicle-data";

const JsonViewer = dynamic(() => import("@/app/_components/json-viewer/json-viewer").then((m) => m.JsonViewer), {
  ssr: false,
  loading: () => <Skeleton className="m-4 h-64" />,
});

export function ItemPreview({ form }: Readonly<{ form: ItemForm }>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="In the policy table"
      description="Its entry in schema_items, including unsaved changes"
      flush={isOpen}
      {...(isOpen ? {} : { className: "pb-1 [&>div]:hidden" })}
      actions={
        <Button size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"}
        </Button>
      }
    >
      {isOpen && <Entry form={form} />}
    </Section>
  );
}

function Entry({ form }: Readonly<{ form: ItemForm }>) {
  const shown = useDeferredValue(form);
  const left: { readonly path: string; readonly reason: string }[] = [];
  const [entry] = buildCustomItems([toPolicyItem(shown)], (path, reason) => left.push({ path, reason }));
  return (
    <>
      {left.length > 0 && (
        <Notice className="m-3" title="Left out of the table">
          <ul className="space-y-0.5">
            {left.slice(0, 10).map(({ path, reason }, index) => (
              <li key={index}>
                {path || "unnamed"}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {entry && (
        <JsonViewer
          key={JSON.stringify(entry)}
          value={entry}
          label={`Entry of ${entry.name}`}
          firstDepth={6}
          className="h-80"
        />
      )}
    </>
  );
}
