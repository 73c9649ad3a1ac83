import { useState } from "react";
import type { ItemForm } from "../item-form";
import { describePath, listTargets, type NodePath } from "../tree-edit";
import { Button } from "@/app/_components/ui/button";
import { Dialog, DialogClose } from "@/app/_components/overlay/dialog";
import { TextField } from "@/app/_components/fields/text-field";

const manyTargets = 8;

export function MoveDialog({
  root,
  path,
  onMove,
  onClose,
}: Readonly<{ root: ItemForm; path: NodePath; onMove: (uid: string) => void; onClose: () => void }>) {
  const node = path.at(-1) ?? root;
  const targets = listTargets(root, node.uid).map((target) => ({
    uid: target.at(-1)?.uid ?? "",
    words: describePath(target),
    hasTwin: target.at(-1)?.params.some(({ name }) => name === node.name) === true,
  }));
  const [uid, setUid] = useState(targets[0]?.uid ?? "");
  const [search, setSearch] = useState("");
  const shown = targets.filter(({ words }) => words.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Move ${node.name || "the unnamed item"} to`}
      {...(node.params.length > 0 ? { description: "All that is inside goes with it." } : {})}
      footer={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button
            variant="primary"
            disabled={!shown.some((target) => target.uid === uid)}
            onClick={() => {
              onMove(uid);
              onClose();
            }}
          >
            Move
          </Button>
        </>
      }
    >
      {targets.length > manyTargets && (
        <TextField label="Search" hideLabel placeholder="Search" value={search} onChange={setSearch} className="mb-2" />
      )}
      <fieldset className="divide-y divide-line rounded-card border border-line">
        <legend className="sr-only">Into</legend>
        {shown.map((target) => (
          <label
            key={target.uid}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 px-3 py-1.5 hover:bg-hover pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name="move-target"
              className="size-4 accent-accent"
              checked={target.uid === uid}
              onChange={() => setUid(target.uid)}
            />
            <span className="min-w-0">
              <span className="break-all">{target.words}</span>
              {target.hasTwin && <span className="block text-xs text-warn">Already contains this name</span>}
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
