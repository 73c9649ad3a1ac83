"use client";
import { useId, useRef, useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { DialogCloseLayer, DialogLayer } from "@/app/_components/overlay/dialog-layer";
import { findNamed, maxNameLength, readViewName } from "@/app/_components/list/views/saved-views";
import type { SavedViews } from "@/app/_components/list/views/use-saved-views";
import { Notice } from "@/app/_components/feedback/notice";
import { showDone } from "@/app/_components/feedback/show-toast";
import { TextField } from "@/app/_components/fields/text-field";

/** Asks for the name of a view and stores it; says so before another one is replaced. */
export function SaveViewDialog({
  saved,
  query,
  onClose,
}: Readonly<{
  saved: SavedViews;
  /** What the list shows now. */
  query: string;
  onClose: () => void;
}>) {
  const [typed, setTyped] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const form = useId();
  const name = readViewName(typed);
  const taken = name === null ? null : findNamed(saved.views, name);

  function save() {
    if (name === null) {
      setIsMissing(true);
      field.current?.focus();
      return;
    }
    saved.save({ name, query });
    onClose();
    showDone(`The view “${name}” is ${taken ? "replaced" : "saved"}`);
  }

  return (
    <DialogLayer
      open
      onOpenChange={onClose}
      size="sm"
      title="Save this view"
      description="Search, filters and order as they are now. The view is kept in this browser only."
      initialFocus={field}
      footer={
        <>
          <DialogCloseLayer render={<Button>Cancel</Button>} />
          <Button type="submit" form={form} variant="primary">
            {taken ? "Replace view" : "Save view"}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          // The page around the layer is its parent in React.
          event.stopPropagation();
          save();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          save();
        }}
      >
        <TextField
          ref={field}
          label="Name of the view"
          value={typed}
          maxLength={maxNameLength}
          autoComplete="off"
          onChange={(text) => {
            setTyped(text);
            setIsMissing(false);
          }}
          error={isMissing ? "Give the view a name." : null}
        />
        <div role="status">{taken && <Notice>There is a view “{taken.name}”. Saving replaces it.</Notice>}</div>
      </form>
    </DialogLayer>
  );
}
