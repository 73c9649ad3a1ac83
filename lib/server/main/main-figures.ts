import { createFigures, type ProcessFigures } from "@/lib/platform/process/process-figures";

/** What main knows of the processes it has started. */
export interface MainSources {
  /** How often each process was started again, by name. */
  readonly restarts: () => Readonly<Record<string, number>>;
  readonly vehicleWorkersWanted: () => number;
  readonly vehicleWorkersRunning: () => number;
  readonly droppedLines?: () => number;
}

/** Makes the figures of the process that starts and watches the others (`processes.md` N6). */
export function createMainFigures({
  restarts,
  vehicleWorkersWanted,
  vehicleWorkersRunning,
  droppedLines,
}: MainSources): ProcessFigures {
  const figures = createFigures("main");
  figures.add(
    {
      name: "policy_process_restarts_total",
      help: "How often a process was started again because it had ended or did not answer",
      type: "counter",
      read: () => Object.entries(restarts()).map(([of, value]) => ({ labels: { of }, value })),
    },
    {
      name: "policy_vehicle_workers_wanted",
      help: "Vehicle workers that are to run",
      type: "gauge",
      read: vehicleWorkersWanted,
    },
    {
      name: "policy_vehicle_workers_running",
      help: "Vehicle workers that answer",
      type: "gauge",
      read: vehicleWorkersRunning,
    },
  );
  if (droppedLines !== undefined)
    figures.add({
      name: "policy_log_lines_dropped_total",
      help: "Lines of the log that nobody took",
      type: "counter",
      read: droppedLines,
    });
  return figures;
}
