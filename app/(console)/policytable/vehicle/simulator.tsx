import { useState } from "react";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { Spinner } from "@/app/_components/ui/spinner";
import { ask } from "@/lib/platform/http/client";
import type { SimulationAnswer } from "@/lib/simulator/answer-schema";
import type { SourceOption } from "../sources";
import { buildAddress, buildBody, type Run, simulateRoute, type VehicleForm } from "./simulation";
import { SimulationResult } from "./simulation-result";
import { VehicleFields } from "./vehicle-fields";

/** Asks what one vehicle would receive, and shows the answer with its reasons (L15). */
export function Simulator({
  initial,
  runsAtOnce,
  sources,
  origin,
}: Readonly<{
  initial: VehicleForm;
  runsAtOnce: boolean;
  sources: readonly SourceOption[];
  origin: string;
}>) {
  const [form, setForm] = useState(initial);
  const [run, setRun] = useState<Run | null>(() => (runsAtOnce ? toRun(initial) : null));
  const [problem, setProblem] = useState<string | null>(null);
  const key = run === null ? null : ([simulateRoute, JSON.stringify(run.body)] as const);
  const { data, error, isValidating, mutate } = useSWR<SimulationAnswer, unknown>(
    key,
    (asked: readonly [string, string]) => ask(asked) as Promise<SimulationAnswer>,
    { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false },
  );

  function start() {
    const built = buildBody(form);
    setProblem("problem" in built ? built.problem : null);
    if ("problem" in built) return;
    const next = { body: built.body, of: form.of };
    // The same again is asked again: staging may have changed meanwhile.
    if (JSON.stringify(next) === JSON.stringify(run)) void mutate();
    else setRun(next);
    window.history.replaceState(null, "", buildAddress(form));
  }

  return (
    <div className="space-y-4">
      <VehicleFields
        form={form}
        onChange={(change) => {
          setForm({ ...form, ...change });
          setProblem(null);
        }}
        sources={sources}
        problem={problem}
        isBusy={isValidating}
        onRun={start}
      />
      {error !== undefined && !isValidating && <ErrorPanel error={error} onRetry={() => void mutate()} />}
      {isValidating && data === undefined && (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner label="Running" />
          Running the simulation
        </p>
      )}
      {run !== null && data !== undefined && error === undefined && (
        <SimulationResult key={JSON.stringify(run)} answer={data} {...{ run, sources, origin }} />
      )}
    </div>
  );
}

function toRun(form: VehicleForm): Run | null {
  const built = buildBody(form);
  return "body" in built ? { body: built.body, of: form.of } : null;
}
