/**
 * jsdom asks every rule of its own stylesheet for every element that a query by role looks at: half of what the tests of
 * pages took. Nothing of ours is a stylesheet there, so elements of one kind have one style, unless they or what they lie
 * in say something that decides what can be seen or clicked.
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

/** What an attribute may say of an element that holds for what lies in it, too. */
const deciding = /display|visibility|pointer-events/;

/** Whether a style that is not of the browser decides: one in an attribute, or the stylesheet of the toasts. */
function hasOwnStyle(element: Element): boolean {
  for (let one: Element | null = element; one; one = one.parentElement) {
    if (deciding.test(one.getAttribute("style") ?? "") || one.hasAttribute("data-sonner-toaster")) return true;
  }
  return false;
}

/** What the browser's own stylesheet looks at, and the element's own style. */
function kindOf(element: Element): string {
  const attributes = ["style", "hidden", "open", "type"].map((name) => element.getAttribute(name) ?? "-");
  return [element.localName, ...attributes].join("|");
}
