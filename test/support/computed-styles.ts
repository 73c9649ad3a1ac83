/** jsdom's own stylesheet, evaluated for every query by role, took half the time of page tests. */
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

function hasOwnStyle(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (deciding.test(one.getAttribute("style") ?? "") || one.hasAttribute("data-sonner-toaster")) return true;
  }
  return false;
}

function kindOf(element: Element): string {
  const attributes = ["style", "hidden", "open", "type"].map((name) => element.getAttribute(name) ?? "-");
  return [element.localName, ...attributes].join("|");
}
