import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { Dialog } from "@/app/_components/overlay/dialog";
import { deepEqual, listDifferences } from "@/app/_components/form/deep-equal";
import type { DraftParts } from "@/app/_components/form/draft-parts";
import { Notice } from "@/app/_components/feedback/notice";

type Side = "mine" | "theirs";
type Parts = Readonly<Record<string, unknown>>;

/** A part changed on one side only comes from there; the reader chooses for the rest. */
export function ConflictDialog({
  base,
  mine,
  theirs,
  labels,
  parts,
  onCancel,
  onResolve,
}: Readonly<{
  base: Parts;
  mine: Parts;
  /** Null: they have deleted the item. */
  theirs: Parts | null;
  labels: Readonly<Record<string, string>>;
  parts: Pick<DraftParts<object>, "nameOf" | "describe">;
  onCancel: () => void;
  onResolve: (taken: readonly string[]) => void;
}>) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  if (theirs === null) return <GoneDialog onCancel={onCancel} onSave={() => onResolve([])} />;
  const nameOf = (name: string) => labels[name] ?? parts.nameOf(name);
  // Parts without a label are derived from others, such as counts and ids: nothing to choose.
  const isNamed = (name: string) => nameOf(name) !== null;
  const describe = (side: Parts, name: string) =>
    parts.describe(
      side[name],
      [base, mine, theirs].filter((one) => one !== side).map((one) => one[name]),
    );
  const byMe = listDifferences(base, mine);
  const byThem = listDifferences(base, theirs).filter((name) => name in mine || isNamed(name));
  const disputed = byMe.filter(
    (name) => isNamed(name) && byThem.includes(name) && !deepEqual(mine[name], theirs[name]),
  );
  const onlyTheirs = byThem.filter((name) => !byMe.includes(name));
  const onlyMine = byMe.filter((name) => !byThem.includes(name));
  const isDecided = disputed.every((name) => name in chosen);

  function resolve() {
    onResolve(disputed.filter((name) => chosen[name] === "theirs").concat(onlyTheirs));
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      size="lg"
      title="Someone else has saved changes"
      description="Choose which version to keep where you both changed the same field. Nothing is saved until you do."
      footer={
        <>
          <Button onClick={onCancel}>Back to my changes</Button>
          <Button variant="primary" needsServer disabled={!isDecided} onClick={resolve}>
            Save my choice
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-table">
        {disputed.map((name) => (
          <fieldset key={name} className="rounded-card border border-line">
            <legend className="ml-2 px-1 font-medium">{nameOf(name)}</legend>
            <p className="px-3 pb-2 text-muted">Before: {describe(base, name)}</p>
            {(["theirs", "mine"] as const).map((side) => (
              <label key={side} className="flex cursor-pointer gap-2.5 border-t border-line px-3 py-2 hover:bg-hover">
                <input
                  type="radio"
                  name={`side-${name}`}
                  className="mt-0.5 size-4 accent-accent"
                  checked={chosen[name] === side}
                  onChange={() => setChosen({ ...chosen, [name]: side })}
                />
                <span className="min-w-0">
                  <strong className="block font-medium">{side === "mine" ? "Mine" : "Theirs"}</strong>
                  {describe(side === "mine" ? mine : theirs, name)}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        <Others
          title="Changed only by them, taken over"
          entries={onlyTheirs.filter(isNamed).map((name) => [name, nameOf(name), describe(theirs, name)])}
        />
        <Others
          title="Changed only by me, kept"
          entries={onlyMine.filter(isNamed).map((name) => [name, nameOf(name), describe(mine, name)])}
        />
      </div>
    </Dialog>
  );
}

function Others({
  title,
  entries,
}: Readonly<{ title: string; entries: readonly (readonly [key: string, name: string | null, words: string])[] }>) {
  if (entries.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium">{title}</h3>
      <dl className="mt-1 space-y-1">
        {entries.map(([key, name, words]) => (
          <div key={key} className="grid gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="break-words text-muted">{name}</dt>
            <dd className="break-words">{words}</dd>
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
            Save as new item
          </Button>
        </>
      }
    >
      <Notice>It was deleted while you were editing. Saving creates it again with what you see here.</Notice>
    </Dialog>
  );
}
