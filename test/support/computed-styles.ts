/**
 * For every element that a query by role checks, jsdom evaluates every rule of its own stylesheet, which took half the
 * time of page tests. The tests load none of our stylesheets, so elements of one kind share a style, unless they or an
 * ancestor have attributes that decide what is visible or clickable.
 */
export function keepComputedStyles(): void {
  const compute = window.getComputedStyle.bind(window);
  const kept = new Map<string, CSSStyleDeclaration>();
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo || hasOwnStyle(element)) return compute(element, pseudo);
    const kind = kindOf(element);
    const style = kept.get(kind) ?? compute(element);
    kept.set(kind, style);
    return style;
  };
}

/** Attribute values that also affect descendants. */
const deciding = /display|visibility|pointer-events/;

/** Whether styles beyond the browser's apply: a style attribute, or the stylesheet of the toasts. */
function hasOwnStyle(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (deciding.test(one.getAttribute("style") ?? "") || one.hasAttribute("data-sonner-toaster")) return true;
  }
  return false;
}

/** What the browser's own stylesheet depends on, and the element's own style. */
function kindOf(element: Element): string {
  const attributes = ["style", "hidden", "open", "type"].map((name) => element.getAttribute(name) ?? "-");
  return [element.localName, ...attributes].join("|");
}
