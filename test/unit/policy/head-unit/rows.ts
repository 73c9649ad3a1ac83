/** One accepted and one reported case for every row of the head unit rules, sections 1 to 9 and the checklist of 12, and for C6 to C12. */
import { missing, nullAt, type Row } from "./row";
import { section1, section3 } from "./section-1-and-3";
import { section4 } from "./section-4";
import { section5 } from "./section-5";
import { section6 } from "./section-6";
import { section7 } from "./section-7";
import { section8 } from "./section-8";
import { strandedRows } from "./stranded";

const sectionsOfTheTable: readonly Row[] = [
  missing("4 app_policies", ["app_policies"]),
  nullAt("4 app_policies", ["app_policies"]),
  missing("5 functional_groupings", ["functional_groupings"]),
  nullAt("5 functional_groupings: number of groups", ["functional_groupings"]),
  missing("6 module_config", ["module_config"]),
  nullAt("6 module_config", ["module_config"]),
];

export const rows: readonly Row[] = [
  ...section1,
  ...section3,
  ...section4,
  ...section5,
  ...section6,
  ...section7,
  ...section8,
  ...strandedRows,
  ...sectionsOfTheTable,
];
