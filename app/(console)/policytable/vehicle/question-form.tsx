import dynamic from "next/dynamic";
import { useId, useState } from "react";
import useSWR from "swr";
import { ErrorPanel } from "@/app/_components/feedback/error-panel";
import { SelectField } from "@/app/_components/fields/select-field";
import { TextField } from "@/app/_components/fields/text-field";
import { levelColumns } from "@/app/_components/rights/rights";
import { Button } from "@/app/_components/ui/button";
import { Section } from "@/app/_components/ui/section";
import { ask } from "@/lib/platform/http/client";
import type { SimulationAnswer } from "@/lib/simulator/answer-schema";
import { listNames, type Question, type Run, simulateRoute, titleOf } from "./simulation";

const QuestionResult = dynamic(() => import("./question-result").then((m) => m.QuestionResult));

/** "May this app call this RPC at this level?" (L16), about the table in view. */
export function QuestionForm({ answer, run }: Readonly<{ answer: SimulationAnswer; run: Run }>) {
  const { reasons } = answer;
  const id = useId();
  const [names] = useState(() => listNames(answer));
  const [question, setQuestion] = useState<Question>({
    app: reasons[0]?.id ?? "",
    rpc: "",
    parameter: "",
    level: "FULL",
  });
  const [asked, setAsked] = useState<Question | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: Partial<Question>) => {
    setQuestion({ ...question, ...next });
    setProblem(null);
  };
  const { data, error, isValidating, mutate } = useSWR<SimulationAnswer, unknown>(
    asked === null ? null : [simulateRoute, JSON.stringify({ ...run.body, question: toBody(asked) })],
    (key: readonly [string, string]) => ask(key) as Promise<SimulationAnswer>,
    { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false, keepPreviousData: true },
  );

  return (
    <Section
      title="May an app call it?"
      description="Ask about one RPC at one level to see the answer, the reasons, and what would change it."
    >
      <form
        aria-label="Question"
        className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[repeat(4,minmax(0,1fr))_auto] lg:items-start"
        onSubmit={(event) => {
          event.preventDefault();
          const isNamed = question.rpc.trim() !== "";
          setProblem(isNamed ? null : "Name an RPC.");
          if (isNamed) setAsked(question);
        }}
      >
        <SelectField
          label="App"
          value={question.app}
          options={reasons.map((one) => ({ value: one.id, label: titleOf(one) }))}
          onChange={(app) => change({ app })}
        />
        <TextField
          label="RPC"
          list={`${id}rpcs`}
          autoComplete="off"
          spellCheck={false}
          error={problem}
          value={question.rpc}
          onChange={(rpc) => change({ rpc })}
        />
        <TextField
          label="Parameter (optional)"
          list={`${id}parameters`}
          autoComplete="off"
          spellCheck={false}
          value={question.parameter}
          onChange={(parameter) => change({ parameter })}
        />
        <SelectField
          label="HMI level"
          value={question.level}
          options={levelColumns.map((level) => ({ value: level, label: level }))}
          onChange={(level) => change({ level })}
        />
        <Button type="submit" needsServer busy={isValidating} className="self-start max-lg:mt-1 lg:mt-6.5">
          Ask
        </Button>
        <Choices id={`${id}rpcs`} names={names.rpcs} />
        <Choices id={`${id}parameters`} names={names.parameters} />
      </form>
      <div className="mt-3 empty:hidden">
        {error !== undefined && !isValidating && <ErrorPanel error={error} onRetry={() => void mutate()} />}
        {error === undefined && data?.answer && (
          <QuestionResult answer={data.answer} environment={run.of === "staging" ? "staging" : "production"} />
        )}
      </div>
    </Section>
  );
}

function Choices({ id, names }: Readonly<{ id: string; names: readonly string[] }>) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}

function toBody({ app, rpc, parameter, level }: Question) {
  const name = parameter.trim();
  return { app, rpc: rpc.trim(), level, ...(name === "" ? {} : { parameter: name }) };
}
