"use client";
import { Tabs } from "@base-ui/react/tabs";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { JsonViewer } from "@/app/_components/json-viewer/json-viewer";
import { Section } from "@/app/_components/section";
import { Spinner } from "@/app/_components/spinner";
import type { PolicySegments } from "@/lib/applications/policy-segments";
import { type Environment, environments } from "@/lib/policy/vocabulary";

/** Entries are short: they are shown as a whole. */
const everyDepth = 20;
const names: Readonly<Record<Environment, string>> = { staging: "Staging", production: "Production" };

/** What vehicles are told about the app, by environment. */
export function PolicySection({ segments }: Readonly<{ segments: PolicySegments | null }>) {
  const parameters = useSearchParams();
  const [chosen, setChosen] = useState(
    () => environments.find((name) => name === parameters.get("policy")) ?? "staging",
  );
  useFreshSegments(segments);
  if (segments === null) {
    return (
      <Section id="policy" title="Policy preview">
        <p className="text-muted">The policy is being compiled for the first time. Try again in a moment.</p>
      </Section>
    );
  }
  return (
    <Section
      id="policy"
      title="Policy preview"
      description="The entry of this app in the policy table, as the compiled policy in service holds it."
      actions={
        segments.isOutdated && (
          <span role="status" className="flex items-center gap-1.5 text-table text-muted">
            <Spinner label="Compiling" />
            Being compiled with the latest change
          </span>
        )
      }
    >
      <Tabs.Root
        value={chosen}
        onValueChange={(next: Environment) => {
          setChosen(next);
          const query = new URLSearchParams(parameters);
          if (next === "staging") query.delete("policy");
          else query.set("policy", next);
          // The page holds both already: nothing has to be asked of the server.
          window.history.replaceState(null, "", `?${query.toString()}`);
        }}
      >
        <Tabs.List className="mb-3 flex gap-1 border-b border-line">
          {environments.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="-mb-px h-8 border-b-2 border-transparent px-2.5 text-table font-medium text-muted hover:text-text data-active:border-accent data-active:text-text pointer-coarse:h-11"
            >
              {names[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {environments.map((name) => (
          <Tabs.Panel key={name} value={name} tabIndex={-1}>
            <Entry entry={segments[name]} environment={name} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Section>
  );
}

function Entry({ entry, environment }: Readonly<{ entry: unknown; environment: Environment }>) {
  return (
    <div className="space-y-3">
      <p className="text-table text-muted">{explain(entry, environment)}</p>
      {typeof entry === "object" && entry !== null ? (
        <div className="rounded-card border border-line">
          <JsonViewer
            value={entry}
            label={`Entry in ${environment}`}
            fileName={`policy-entry-${environment}.json`}
            firstDepth={everyDepth}
            className="h-112"
          />
        </div>
      ) : (
        <code className="inline-block rounded-control border border-line bg-page px-2 py-1 font-mono text-xs">
          {JSON.stringify(entry)}
        </code>
      )}
    </div>
  );
}

function explain(entry: unknown, environment: Environment): string {
  if (entry === null) return "The app is blocked: its entry is null, and a head unit refuses it everything.";
  if (entry === "default") return `No version is granted in ${environment}: the app gets what every app gets.`;
  return `What vehicles in ${environment} are told about this app.`;
}

const againMs = 500;
const mostTimes = 20;

/** A change takes a moment until it is compiled: asks for the page again until it is in the entries. */
function useFreshSegments(segments: PolicySegments | null) {
  const router = useRouter();
  const times = useRef(0);
  useEffect(() => {
    if (segments?.isOutdated !== true) {
      times.current = 0;
      return;
    }
    if (times.current >= mostTimes) return;
    times.current += 1;
    const timer = setTimeout(() => {
      router.refresh();
    }, againMs);
    return () => {
      clearTimeout(timer);
    };
  }, [segments, router]);
}
