/** The popup of a term does not count. */
export function isDialogOpen(): boolean {
  return (
    document.querySelector(":is([role=dialog], [role=alertdialog]):not([data-hint], [data-ending-style])") !== null
  );
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const field =
    "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]";
  return target.closest(field) !== null || isDialogOpen();
}
