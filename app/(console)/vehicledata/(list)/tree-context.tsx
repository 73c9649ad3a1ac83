import { createContext, use } from "react";
import type { Environment } from "@/lib/labels/vocabulary";
import type { VehicleDataRow } from "@/lib/content/vehicle-data/console-rows";

/** What the cells of the tree share: which lines are open, how to open and close them, and where groups are looked up. */
export interface TreeFacts {
  readonly environment: Environment;
  readonly isOpen: (row: VehicleDataRow) => boolean;
  readonly toggle: (row: VehicleDataRow) => void;
}

export const TreeContext = createContext<TreeFacts>({
  environment: "staging",
  isOpen: () => false,
  toggle: () => undefined,
});

export const useTreeFacts = () => use(TreeContext);
