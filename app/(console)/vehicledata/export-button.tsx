"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { readItems } from "@/app/(console)/vehicledata/item-api";
import { Button } from "@/app/_components/button";
import { showProblem } from "@/app/_components/show-toast";
import type { Environment } from "@/lib/policy/vocabulary";

/** Saves all items that pass the filters, other pages included, as a file that the API takes back item by item. */
export function ExportButton({ environment, ids }: Readonly<{ environment: Environment; ids: readonly number[] }>) {
  const [isBusy, setIsBusy] = useState(false);
  async function save() {
    const wanted = new Set(ids);
    const items = (await readItems(environment)).filter(({ id }) => id !== null && wanted.has(id));
    const link = document.createElement("a");
    const text = `${JSON.stringify({ custom_vehicle_data: items }, null, 2)}\n`;
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `vehicle-data-${environment}-${new Date().toISOString().slice(0, 10)}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
  return (
    <Button
      needsServer
      busy={isBusy}
      onClick={() => {
        setIsBusy(true);
        void save()
          .catch(showProblem)
          .finally(() => {
            setIsBusy(false);
          });
      }}
    >
      <Download aria-hidden="true" />
      Export JSON
    </Button>
  );
}
