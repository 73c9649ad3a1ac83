"use client";
import { useState } from "react";
import { Button } from "@/app/_components/button";
import { Dialog } from "@/app/_components/dialog";
import { deepEqual, listDifferences } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";
import { Notice } from "@/app/_components/notice";

type Side = "mine" | "theirs";

/**
 * Somebody else has saved the item meanwhile. Shows for each member what it was, what they and what the reader made of
 * it; what only one side has changed is taken from there, the rest is for the reader to choose.
 */
export function ConflictDialog({
  base,
  mine,
  theirs,
  labels,
  onCancel,
  onResolve,
}: Readonly<{
  base: object;
  mine: object;
  /** Null: they have removed the item. */
  theirs: object | null;
  labels: Readonly<Record<string, string>>;
  onCancel: () => void;
  onResolve: (value: object) => void;
}>) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  if (theirs === null)
    return (
      <GoneDialog
        onCancel={onCancel}
        onSave={() => {
          onResolve(mine);
        }}
      />
    );
  const [then, own, other] = [base, mine, theirs] as unknown as Record<string, unknown>[];
  const byMe = listDifferences(base, mine);
  const byThem = listDifferences(base, theirs).filter((name) => name in mine);
  // What has no name here follows from the rest, such as counts and ids: nothing to show or to choose.
  const isNamed = (name: string) => name in labels;
  const disputed = byMe.filter(
    (name) => isNamed(name) && byThem.includes(name) && !deepEqual(own?.[name], other?.[name]),
  );
  const onlyTheirs = byThem.filter((name) => !byMe.includes(name));
  const onlyMine = byMe.filter((name) => !byThem.includes(name));
  const isDecided = disputed.every((name) => name in chosen);

  function resolve() {
    const taken = disputed.filter((name) => chosen[name] === "theirs").concat(onlyTheirs);
    onResolve({ ...mine, ...Object.fromEntries(taken.map((name) => [name, other?.[name]])) });
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      size="lg"
      title="Someone else has saved this meanwhile"
      description="Choose what to keep where both of you have changed the same. Nothing is saved before that."
      footer={
        <>
          <Button onClick={onCancel}>Back to my changes</Button>
          <Button variant="primary" needsServer disabled={!isDecided} onClick={resolve}>
            Save the chosen state
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-table">
        {disputed.map((name) => (
          <fieldset key={name} className="rounded-card border border-line">
            <legend className="ml-2 px-1 font-medium">{labels[name] ?? name}</legend>
            <p className="px-3 pb-2 text-muted">Before: {describeValue(then?.[name])}</p>
            {(["theirs", "mine"] as const).map((side) => (
              <label key={side} className="flex cursor-pointer gap-2.5 border-t border-line px-3 py-2 hover:bg-hover">
                <input
                  type="radio"
                  name={`side-${name}`}
                  className="mt-0.5 size-4 accent-accent"
                  checked={chosen[name] === side}
                  onChange={() => {
                    setChosen({ ...chosen, [name]: side });
                  }}
                />
                <span className="min-w-0">
                  <strong className="block font-medium">{side === "mine" ? "Mine" : "Theirs"}</strong>
                  {describeValue((side === "mine" ? own : other)?.[name])}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        <Others
          title="Changed by them only, taken over"
          names={onlyTheirs.filter(isNamed)}
          values={other}
          labels={labels}
        />
        <Others title="Changed by me only, kept" names={onlyMine.filter(isNamed)} values={own} labels={labels} />
      </div>
    </Dialog>
  );
}

function Others({
  title,
  names,
  values,
  labels,
}: Readonly<{
  title: string;
  names: readonly string[];
  values: Readonly<Record<string, unknown>> | undefined;
  labels: Readonly<Record<string, string>>;
}>) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium">{title}</h3>
      <dl className="mt-1 space-y-1">
        {names.map((name) => (
          <div key={name} className="grid gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="text-muted">{labels[name] ?? name}</dt>
            <dd>{describeValue(values?.[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function GoneDialog({ onCancel, onSave }: Readonly<{ onCancel: () => void; onSave: () => void }>) {
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title="This item no longer exists"
      footer={
        <>
          <Button onClick={onCancel}>Back to my changes</Button>
          <Button variant="primary" needsServer onClick={onSave}>
            Save it as a new item
          </Button>
        </>
      }
    >
      <Notice>It was removed while you were editing it. Saving makes it anew with what you see here.</Notice>
    </Dialog>
  );
}
