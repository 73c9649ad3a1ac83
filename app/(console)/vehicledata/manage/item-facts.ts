import type { VehicleDataPage } from "@/lib/content/vehicle-data/editor-queries";

/** What the editor knows of an item besides its form; `id` is 0 for a new one. */
export type EditorFacts = Omit<VehicleDataPage, "item" | "nodeId"> & {
  readonly id: number;
  readonly copyOf: number | null;
  readonly isDeleted: boolean;
  /** The node to begin with. */
  readonly firstUid: string;
  /** The ids of the stored nodes, by those of the form. */
  readonly nodeIds: Readonly<Record<string, number>>;
};
