"use client";
import { useRouter, useSearchParams } from "next/navigation";
import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from "react";
import { usePrinting } from "@/app/_components/hooks/use-printing";
import { Section } from "@/app/_components/ui/section";
import { Spinner } from "@/app/_components/ui/spinner";
import type { PolicySegments } from "@/lib/apps/applications/policy-segments";
import { type Environment, environments } from "@/lib/vocabulary/terms";
import { EnvironmentChoice } from "./environment-choice";

const JsonViewer = lazy(() =>
  import("@/app/_components/json-viewer/json-viewer").then(({ JsonViewer: viewer }) => ({ default: viewer })),
);
/** Entries are short, so they start fully open. */
const everyDepth = 20;

export function PolicySection({ segments }: Readonly<{ segments: PolicySegments | null }>) {
  const parameters = useSearchParams();
  const [chosen, setChosen] = useState(
    () => environments.find((name) => name === parameters.get("policy")) ?? "staging",
  );
  useFreshSegments(segments);

  function choose(next: Environment) {
    setChosen(next);
    const query = new URLSearchParams(parameters);
    if (next === "staging") query.delete("policy");
    else query.set("policy", next);
    // The page already has both: no request needed.
    window.history.replaceState(null, "", `?${query.toString()}`);
  }

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
      description="This app’s entry in the served policy table."
      actions={
        segments.isOutdated && (
          <span role="status" className="flex items-center gap-1.5 text-table text-muted">
            <Spinner label="Compiling" />
            Compiling the latest change
          </span>
        )
      }
    >
      <EnvironmentChoice
        label="Environment of the preview"
        value={chosen}
        onChange={choose}
        className="mb-3 border-b border-line"
      />
      <Entry key={chosen} entry={segments[chosen]} environment={chosen} />
    </Section>
  );
}

function Entry({ entry, environment }: Readonly<{ entry: unknown; environment: Environment }>) {
  return (
    <div className="space-y-3">
      <p className="text-table text-muted">{explain(entry, environment)}</p>
      {typeof entry === "object" && entry !== null ? (
        <EntryTree entry={entry} environment={environment} />
      ) : (
        <code className="inline-block rounded-control border border-line bg-page px-2 py-1 font-mono text-xs">
          {JSON.stringify(entry)}
        </code>
      )}
    </div>
  );
}

/** Text until it scrolls into view: saves the tree's code for readers who don't scroll this far. */
function EntryTree({ entry, environment }: Readonly<{ entry: object; environment: Environment }>) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNearView(box);
  const isPrinting = usePrinting();
  const label = `Entry in ${environment}`;
  const text = (
    <pre tabIndex={0} role="region" aria-label={label} className="h-112 overflow-auto p-3 font-mono text-xs">
      {JSON.stringify(entry, null, 2)}
    </pre>
  );
  return (
    <div ref={box} className="rounded-card border border-line">
      {/* The tree has only the lines in view; paper has room for the text. */}
      {isNear && !isPrinting ? (
        <Suspense fallback={text}>
          <JsonViewer
            value={entry}
            label={label}
            fileName={`policy-entry-${environment}.json`}
            firstDepth={everyDepth}
            className="h-112"
          />
        </Suspense>
      ) : (
        text
      )}
    </div>
  );
}

function useNearView(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) setIsNear(true);
      },
      { rootMargin: "300px" },
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}

function explain(entry: unknown, environment: Environment): string {
  if (entry === null) return "The app is blocked: its entry is null, and a head unit refuses it everything.";
  if (entry === "default") return `No version has permissions in ${environment}. The app gets what every app gets.`;
  return `What vehicles receive about this app in ${environment}.`;
}

const againMs = 500;
const maxTimes = 20;

/** Compiling a change takes a moment: refreshes the page until the entries contain it. */
function useFreshSegments(segments: PolicySegments | null) {
  const router = useRouter();
  const times = useRef(0);
  useEffect(() => {
    if (segments?.isOutdated !== true) {
      times.current = 0;
      return;
    }
    if (times.current >= maxTimes) return;
    times.current += 1;
    const timer = setTimeout(() => router.refresh(), againMs);
    return () => clearTimeout(timer);
  }, [segments, router]);
}
