import { useEffectEvent, useLayoutEffect } from "react";

/** The handler sees the values of the last render. `capture` runs before all handlers on the page. */
export function useListener<K extends keyof WindowEventMap>(
  name: K,
  onEvent: (event: WindowEventMap[K]) => void,
  { capture = false }: Readonly<{ capture?: boolean }> = {},
): void {
  const hear = useEffectEvent(onEvent);
  // A layout effect, so that a key works as soon as the page is visible.
  useLayoutEffect(() => {
    const listener = (event: WindowEventMap[K]) => hear(event);
    window.addEventListener(name, listener, capture);
    return () => window.removeEventListener(name, listener, capture);
  }, [name, capture]);
}

export function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}
