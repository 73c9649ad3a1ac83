import { useState } from "react";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { Spinner } from "@/app/_components/ui/spinner";
import { ask, get } from "@/lib/platform/http/client";
import type { SimulationAnswer } from "@/lib/policy/why/answer-schema";
import type { ChosenApp, SourceOption } from "../sources";
import { buildAddress, buildBody, type Run, simulateRoute, type VehicleForm } from "./simulation";
import { SimulationResult } from "./simulation-result";
import { Play } from "lucide-react";
import dynamic from "next/dynamic";
import { SelectField } from "@/app/_components/fields/select-field";
import { Button } from "@/app/_components/ui/button";
import { coreChoices, oldestCore } from "@/lib/vocabulary/head-units";
import { AppsField } from "../apps-field";
import { describeProblem } from "@/app/_components/feedback/problem";
import { plural } from "@/lib/vocabulary/format-number";

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
    // The same request runs again: staging may have changed.
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

const RequestField = dynamic(() => import("./request-field").then((m) => m.RequestField));

const ways = [
  { value: "apps", label: "Apps by name" },
  { value: "request", label: "A captured request" },
] as const;
const idLengths = [
  { value: "full", label: "Full ids" },
  { value: "short", label: "Short ids" },
] as const;

function VehicleFields({
  form,
  onChange,
  sources,
  problem,
  isBusy,
  onRun,
}: Readonly<{
  form: VehicleForm;
  onChange: (change: Partial<VehicleForm>) => void;
  sources: readonly SourceOption[];
  problem: string | null;
  isBusy: boolean;
  onRun: () => void;
}>) {
  return (
    <form
      aria-label="The vehicle"
      className="space-y-4 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onRun();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField label="App requests" value={form.how} options={ways} onChange={(how) => onChange({ how })} />
        <SelectField label="Answered from" value={form.of} options={sources} onChange={(of) => onChange({ of })} />
        <SelectField
          label="Head unit"
          value={form.headUnit}
          options={coreChoices}
          onChange={(headUnit) => onChange({ headUnit })}
        />
        {form.how === "apps" && form.headUnit !== oldestCore && (
          <SelectField
            label="App identifiers"
            value={form.ids}
            options={idLengths}
            onChange={(ids) => onChange({ ids })}
          />
        )}
      </div>
      {form.how === "apps" ? (
        <AppsField
          label="Apps of the vehicle"
          hint="Without apps, you see what every vehicle receives."
          apps={form.apps}
          onChange={(apps) => onChange({ apps })}
          actions={<AcceptedApps apps={form.apps} onChange={(apps) => onChange({ apps })} />}
        />
      ) : (
        <RequestField value={form.request} problem={problem} onChange={(request) => onChange({ request })} />
      )}
      <Button type="submit" variant="primary" needsServer busy={isBusy} className="max-sm:w-full">
        <Play aria-hidden="true" />
        Run
      </Button>
    </form>
  );
}

/** More apps than any vehicle has. */
const most = 100;
const address = `/api/v1/applications?approval_status=ACCEPTED&sort=name&limit=${most}`;

function AcceptedApps({
  apps,
  onChange,
}: Readonly<{ apps: readonly ChosenApp[]; onChange: (apps: readonly ChosenApp[]) => void }>) {
  const [isBusy, setIsBusy] = useState(false);
  const [told, setTold] = useState("");

  async function add() {
    setIsBusy(true);
    try {
      // The route checks the shape of its own response.
      const answer = (await get(address)) as { applications: ChosenApp[]; next_cursor?: unknown };
      const isThere = new Set(apps.map(({ uuid }) => uuid));
      const more = answer.applications.flatMap(({ uuid, name }) => (isThere.has(uuid) ? [] : [{ uuid, name }]));
      onChange([...apps, ...more]);
      const rest = answer.next_cursor === null || answer.next_cursor === undefined ? "" : ", the first by name";
      setTold(`${plural(more.length, "app")} added${rest}.`);
    } catch (error) {
      setTold(describeProblem(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      <Button needsServer busy={isBusy} className="max-sm:w-full" onClick={() => void add()}>
        Add all approved apps
      </Button>
      <p role="status" className="mt-1 text-xs text-muted empty:hidden">
        {told}
      </p>
    </>
  );
}
