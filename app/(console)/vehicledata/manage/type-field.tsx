import { useState } from "react";
import type { ItemForm, NodeForm } from "../item-form";
import type { ChangeItem } from "./tree-toolbar";
import { addNode, changeNode, countNodes } from "../tree-edit";
import { Button } from "@/app/_components/ui/button";
import { ComboboxField } from "@/app/_components/fields/combobox-field";
import { Dialog, DialogClose } from "@/app/_components/overlay/dialog";
import { basicTypes } from "@/lib/records/vehicle-data/rules";

const hints: Readonly<Record<string, string>> = {
  Struct: "Holds other values",
  Integer: "Whole number",
  Float: "Number with a fraction",
};

export function TypeField({
  node,
  parent,
  types,
  error,
  change,
}: Readonly<{
  node: NodeForm;
  /** Null at the top level. */
  parent: NodeForm | null;
  types: readonly string[];
  error: string | null;
  change: {
    readonly setKind: (update: Partial<Pick<NodeForm, "type" | "params">>) => void;
    readonly changeItem: ChangeItem;
  } | null;
}>) {
  const [wanted, setWanted] = useState<string | null>(null);
  const basic: ReadonlySet<string> = new Set(basicTypes);
  const all = node.type === "" || types.includes(node.type) ? types : [...types, node.type];
  const inside = countNodes(node) - 1;

  function choose(type: string | null) {
    if (type === node.type || (type === null && node.params.length > 0)) return;
    if (type !== null && node.params.length > 0 && type !== "Struct") setWanted(type);
    else change?.setKind({ type: type ?? "" });
  }

  return (
    <>
      <ComboboxField
        label="Type"
        name="type"
        value={node.type === "" ? null : node.type}
        error={error}
        placeholder="Choose a type"
        emptyText="No type with this name in the RPC specification"
        options={all.map((type) => ({
          value: type,
          label: type,
          ...(basic.has(type) ? (hints[type] === undefined ? {} : { hint: hints[type] }) : { hint: "Enumeration" }),
        }))}
        {...(change ? { onChange: choose } : {})}
      />
      {wanted !== null && change && (
        <Dialog
          open
          onOpenChange={() => setWanted(null)}
          title={`What happens to the ${inside === 1 ? "item" : `${inside} items`} inside?`}
          description={`${node.name || "This"} is a struct. As ${wanted} it cannot contain other items.`}
          footer={
            <>
              <DialogClose render={<Button>Keep the struct</Button>} />
              {parent && (
                <Button
                  onClick={() => {
                    change.changeItem((form) => {
                      const emptied = changeNode(form, node.uid, (one) => ({ ...one, type: wanted, params: [] }));
                      return node.params.reduceRight<ItemForm>(
                        (tree, child) => addNode(tree, parent.uid, child, node.uid),
                        emptied,
                      );
                    });
                    setWanted(null);
                  }}
                >
                  Move up into {parent.name || "the struct above"}
                </Button>
              )}
              <Button
                variant="danger"
                onClick={() => {
                  change.setKind({ type: wanted, params: [] });
                  setWanted(null);
                }}
              >
                Remove {inside === 1 ? "it" : "them"}
              </Button>
            </>
          }
        >
          <ul className="max-h-48 list-disc overflow-y-auto pl-5 text-table">
            {node.params.map((child) => (
              <li key={child.uid}>
                {child.name || "unnamed"} <span className="text-muted">{child.type}</span>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
