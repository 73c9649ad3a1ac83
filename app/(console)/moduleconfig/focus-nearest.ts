const controls = "input:not([type=hidden]):not([aria-hidden=true]), textarea, [role=switch], button";

/**
 * Does something that takes a control out of the page, and gives the focus to a control that stood nearest to it: where
 * the focus would be lost, people without a mouse had to begin at the top again.
 *
 * @param remove has taken the control out of the page when it returns
 */
export function focusNearest(control: Element, remove: () => void): void {
  const around: Element[] = [];
  for (let element = control.parentElement; element !== null; element = element.parentElement) around.push(element);
  remove();
  if (control.isConnected) return;
  for (const element of around) {
    const next = element.isConnected ? element.querySelector<HTMLElement>(controls) : null;
    if (next === null) continue;
    next.focus();
    return;
  }
}
