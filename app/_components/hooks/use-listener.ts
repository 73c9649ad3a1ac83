import { useEffectEvent, useLayoutEffect } from "react";

/**
 * Hears an event of the window while a component is there, with what is known at its last rendering.
 *
 * @param options.capture before anything on the page hears it
 */
export function useListener<K extends keyof WindowEventMap>(
  name: K,
  onEvent: (event: WindowEventMap[K]) => void,
  { capture = false }: Readonly<{ capture?: boolean }> = {},
): void {
  const hear = useEffectEvent(onEvent);
  // In the same step that shows the page: a key that is pressed on what can be seen is heard.
  useLayoutEffect(() => {
    const listener = (event: WindowEventMap[K]) => hear(event);
    window.addEventListener(name, listener, capture);
    return () => window.removeEventListener(name, listener, capture);
  }, [name, capture]);
}

/** Ctrl or Cmd with a key, and nothing else. */
export function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}
