/** Whether a dialog waits for an answer, above the page. The meaning of a term is none. */
export function isDialogOpen(): boolean {
  return (
    document.querySelector(":is([role=dialog], [role=alertdialog]):not([data-hint], [data-ending-style])") !== null
  );
}

/** Whether keys belong to what has the focus: a field, a list, a menu; or to a dialog above the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field =
    "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]";
  return target.closest(field) !== null || isDialogOpen();
}
