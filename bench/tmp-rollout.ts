import { Report } from "@/bench/report";
import { measureRollouts } from "@/bench/rollout";
const report = new Report();
await measureRollouts(report, { cars: 400 });
console.log(report.toMarkdown("Rollout", "x"));
process.exit(0);
